/// The plugin host-local: addresses of one node, kept as files in a folder that the reference plugin can
/// use at the same time.
///
/// A call opens the folder of its network under the lock that both take, reads all of it, lets the rules
/// decide ([io.cadastre.engine.hostlocal]), writes the decision, and releases the lock. Nothing is kept
/// between calls: whatever another process wrote in the meantime counts. That costs one reading of the
/// folder per call, as in the reference plugin; the format has no index.
@NullMarked
package io.cadastre.agent.hostlocal;

import org.jspecify.annotations.NullMarked;
