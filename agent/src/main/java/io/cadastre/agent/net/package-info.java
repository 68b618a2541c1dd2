/// The main plugin cadastre-net: a link between a pod and its host in the manner of Calico, with addresses
/// that another plugin gives.
///
/// The pod's end has its addresses alone, and routes by way of 169.254.1.1 or of the host's link-local
/// address; the host's end answers for those, and the host has a route to each address. Each attachment is
/// recorded as a workload endpoint.
///
/// One rule governs the order of all steps: an address is given back only when no interface has it any more.
/// What is matched, and where we do better, is in `docs/compat/cni.md`.
///
/// # An ADD
///
/// 1. [io.cadastre.agent.net.AddPreconditions]: the node's name, the MTU, readiness gates. Whatever can be
///    refused is refused before an address is taken.
/// 2. [io.cadastre.agent.net.PodFacts]: what the pod and its namespace ask for. The pod is read; the
///    namespace comes from [io.cadastre.agent.net.NamespaceCache].
/// 3. [io.cadastre.agent.net.Ipam]: the addresses, from a plugin of this process or from a program
///    ([io.cadastre.agent.net.Delegate]).
/// 4. [io.cadastre.agent.net.PodLink]: the pair of links, addresses, routes and kernel settings.
/// 5. [io.cadastre.agent.net.EndpointRecords]: the endpoint, and the pod's annotations
///    ([io.cadastre.agent.net.PodNotes]). It comes last, so that what is recorded is attached.
///
/// A step that fails undoes those before it in reverse order. A link that cannot be removed keeps its
/// address.
///
/// # A DEL
///
/// The record goes first, unless a newer sandbox of the pod has it; then the pod's link; then the addresses.
/// A repeated DEL does the same again.
@NullMarked
package io.cadastre.agent.net;

import org.jspecify.annotations.NullMarked;
