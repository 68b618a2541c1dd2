/// The main plugin cadastre-net: a link between a pod and its host in the manner of Calico, with addresses
/// that another plugin gives.
///
/// The pod's end has its addresses alone, and routes by way of 169.254.1.1 or of the host's link-local
/// address; the host's end answers for those, and the host has a route to each address. Each attachment is
/// recorded as a workload endpoint.
///
/// One rule governs the order of all steps: an address is given back only when no interface has it any
/// more. What is matched, and where we do better, is in `docs/compat/cni.md`.
@NullMarked
package io.cadastre.agent.net;

import org.jspecify.annotations.NullMarked;
