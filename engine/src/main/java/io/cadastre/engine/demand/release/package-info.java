/// Both sides of the handshake by which a node loses an address that a cloud gave it.
///
/// The operator sees late which addresses are in use. So it does not take one away: it marks an address that was too
/// many for a while ([io.cadastre.engine.demand.release.ReleasePlan]), the agent answers whether it is free
/// ([io.cadastre.engine.demand.release.ReleaseAnswer]) and does not give it to a pod from then on, and only then the
/// operator hands it back to the cloud. The agent deletes the entry when the address is out of the node's list.
///
/// | state | written by | next |
/// |---|---|---|
/// | `marked-for-release` | operator | the agent answers |
/// | `ready-for-release` | agent | the operator hands it back |
/// | `do-not-release` | agent | the operator forgets it |
/// | `released` | operator | the agent deletes the entry once the address is gone |
@NullMarked
package io.cadastre.engine.demand.release;

import org.jspecify.annotations.NullMarked;
