/// The process of a node: a socket on which plugins ring, and what is done when they do.
///
/// A call is read, waits until fewer than the most are under way and until its container's earlier calls
/// are done, is answered by the plugin that it names, and the answer is sent back. If nobody is there any
/// more to take it, what was given is taken back. A DEL that could not be delivered lies in the spool, and
/// is done before anything else happens to its container.
@NullMarked
package io.cadastre.agent;

import org.jspecify.annotations.NullMarked;
