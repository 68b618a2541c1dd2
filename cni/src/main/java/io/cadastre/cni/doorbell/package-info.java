/// The plugin's side of the doorbell: where the agent is found, the client in Java that does what the
/// program in C does, and what is installed where a runtime looks for plugins.
@NullMarked
package io.cadastre.cni.doorbell;

import org.jspecify.annotations.NullMarked;
