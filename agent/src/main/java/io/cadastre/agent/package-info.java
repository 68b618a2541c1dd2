/// The process of a node: a socket that CNI plugins call, and what the agent does for them.
///
/// A call arrives as one frame: the plugin's name, its environment and its standard input. It waits until
/// fewer than the most calls are under way and until the earlier calls of its container are done
/// ([io.cadastre.agent.CallService]); [io.cadastre.agent.PluginRouter] finds the plugin, and the reply goes
/// back on the same connection.
///
/// If the caller has left before the reply to an ADD was sent, the runtime takes the ADD for failed: what it
/// gave is taken back. A DEL that could not be delivered lies in the spool as a file, and is done before
/// anything else happens to its container.
///
/// The plugins are [io.cadastre.agent.calico] (calico-ipam), [io.cadastre.agent.hostlocal],
/// [io.cadastre.agent.spiderpool] and [io.cadastre.agent.net], which makes the pod's link and calls one of
/// the others for its addresses.
@NullMarked
package io.cadastre.agent;

import org.jspecify.annotations.NullMarked;
