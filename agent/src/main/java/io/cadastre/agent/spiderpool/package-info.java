/// The plugin spiderpool: addresses from an agent that speaks Spiderpool's API, tried in the pod's
/// namespace before the pod gets them.
///
/// The plugin and the agent are separate here too, though one process may be both: a configuration that
/// names a socket is served by the agent behind it, which may be Spiderpool's own.
@NullMarked
package io.cadastre.agent.spiderpool;

import org.jspecify.annotations.NullMarked;
