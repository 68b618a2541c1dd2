/// The plugin spiderpool, with an agent at its socket that answers as a test wants and, where namespaces can be
/// made, with real neighbours.
@NullMarked
package io.cadastre.agent.spiderpool;

import org.jspecify.annotations.NullMarked;
