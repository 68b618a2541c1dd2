/// The plugin host-local: addresses of one node, kept as files in a folder that the reference plugin can
/// use at the same time.
///
/// A call opens the folder of its network under the lock that both take, reads all of it, asks the law
/// ([io.cadastre.engine.hostlocal]), writes what it decided, and lets go. Nothing is remembered between
/// calls: whatever somebody else wrote in the meantime counts. That costs one reading of the folder per
/// call, as it costs the reference; the format has no index.
@NullMarked
package io.cadastre.agent.hostlocal;

import org.jspecify.annotations.NullMarked;
