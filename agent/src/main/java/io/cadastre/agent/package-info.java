/// The process of a node: a socket that CNI plugins call, and what the agent does for them.
///
/// # Processes
///
/// A container runtime starts a plugin for each call. That plugin is a small program, the doorbell, which
/// knows nothing of CNI: it sends its name, environment and standard input to the agent's socket as one
/// frame, prints the answer and ends. One agent runs per node; a lock beside the socket keeps a second one
/// out. The agent serves each caller in a thread of its own ([io.cadastre.agent.Agent]).
///
/// # From the socket to a plugin
///
/// 1. [io.cadastre.agent.Admission] lets a number of calls run at once and a number wait; it rejects the rest
///    with "try again later". Calls of a plugin that starts programs have places of their own, since such a
///    program may call this agent and would otherwise wait for a place forever.
/// 2. [io.cadastre.agent.CallService] takes the lock of the call's container. A DEL that follows an ADD whose
///    runtime has given up must not overtake it: otherwise no later call would take back the ADD's address.
/// 3. [io.cadastre.agent.PluginRouter] finds the plugin in [io.cadastre.agent.ServedPlugins] by the name of
///    the call, and for `cadastre-ipam` by the dialect in the configuration.
/// 4. [io.cadastre.wire.cni.CniPlugin] checks environment, version and namespace, and calls the handler of
///    the verb. The configuration is parsed once; a plugin that asks another one of this process passes it
///    the parsed call.
///
/// The plugins are [io.cadastre.agent.calico] (calico-ipam), [io.cadastre.agent.hostlocal],
/// [io.cadastre.agent.spiderpool] and [io.cadastre.agent.net], which makes the pod's link and calls one of
/// the others for its addresses.
///
/// # Locks
///
/// All are [io.cadastre.agent.KeyedLock]s, in this order: the container of a call (`outer/` for plugins that
/// start programs, `inner/` for those that these may call), then, in `net`, the pod, whose two sandboxes
/// share one link and one endpoint. No lock protects addresses. Two writers of one address meet in the store,
/// at one key.
///
/// # A lost answer
///
/// If a caller has left before the reply to its ADD was sent, the runtime takes the ADD for failed. Plugins
/// note in the [io.cadastre.agent.Withdrawal] of the call what undoes it, and `CallService` carries that out.
/// A call also ends for its caller when its time is over ([io.cadastre.agent.CallDeadlines]): the agent hangs
/// up, and undoes what the call does afterwards.
///
/// # The spool
///
/// A doorbell that finds no agent writes a DEL as a file into the spool and reports success, so that pods can
/// be removed while the agent is down. The agent does these DELs when it starts, then every so often, and
/// before an ADD or CHECK of the same container ([io.cadastre.agent.SpoolDrain]). A DEL that must wait stays;
/// one that can never be done is set aside.
@NullMarked
package io.cadastre.agent;

import org.jspecify.annotations.NullMarked;
