/// The commands under `cni`, which install plugins and call them by hand, and the explanations of what a plugin would
/// give a pod.
///
/// An explanation runs the code of the agent on a store that is only read.
@NullMarked
package io.cadastre.cli.cni;

import org.jspecify.annotations.NullMarked;
