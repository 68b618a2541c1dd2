/// Addresses that stay where they are from one pod to its successor, the way Spiderpool keeps them.
///
/// **Whose.** The next pod of a StatefulSet has the name of the one before; the next pod of a virtual machine
/// of KubeVirt has another name and runs the same machine ([io.cadastre.engine.pool.keep.Succession]). Their
/// endpoint is not owned by a pod, so it outlives each of them.
///
/// **What an ADD does.** All that the endpoint of the predecessor has is recorded for the new pod, in the
/// pools first and in the endpoint last. The uid of the predecessor is not compared: a
/// cluster has at most one pod of a name. An interface whose pool is not named for the pod any more is given
/// back and assigned anew; a virtual machine keeps its address even then. A record that is missing is written
/// again if the address is free, and otherwise the interface is assigned anew. A record of a pod of another
/// name refuses the request ([io.cadastre.engine.pool.keep.KeptAddresses]).
///
/// **What a DEL does.** Nothing, as long as a successor is expected.
@NullMarked
package io.cadastre.engine.pool.keep;

import org.jspecify.annotations.NullMarked;
