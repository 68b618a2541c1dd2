/// The plugin spiderpool: addresses from an agent that speaks Spiderpool's API, tried in the pod's
/// namespace before the pod gets them.
///
/// The plugin and the agent are two things here too, though one process may be both: whoever names a
/// socket is served by the agent behind it, be it Spiderpool's own.
@NullMarked
package io.cadastre.agent.spiderpool;

import org.jspecify.annotations.NullMarked;
