/// Spiderpool's plugin and the API of its agent: what the plugin knows about a network and a pod, and the
/// forms in which it asks the agent for addresses and gives them back, without any input or output.
///
/// Matched: `spidernet-io/spiderpool` at `a7fbd3b`.
@NullMarked
package io.cadastre.wire.spiderpool;

import org.jspecify.annotations.NullMarked;
