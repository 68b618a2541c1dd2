/// Nodes state how many addresses they need, and are given them in bulk, the way Cilium does it with pools and with
/// addresses of a cloud.
///
/// **What a node needs.** The agent of a node counts the addresses of a pool that are in use, and the pods that
/// wait for one, and states an absolute number for each pool and family, never an increment: with pools rounded
/// up to a multiple of the pre-allocation, and one more of these ([Demand#stepped]); on a cloud simply the
/// pre-allocation on top ([Demand#linear]). A pod that waits counts for five minutes ([PendingPods]), and once
/// however often it asks. [PoolNeeds] puts this together.
///
/// **What a node does without.** CIDRs without a pod go back once the others have room enough ([CidrRelease]). The
/// operator never takes one away.
///
/// **Which pool a pod draws from** is decided by annotations of the pod, then of its namespace, then by the
/// selectors of pools ([PoolChoice]).
///
/// **Addresses of a cloud.** The operator compares what a node has with what it uses, and knows how many to add and
/// how many are too many ([NodeStock]). An address goes back by a handshake, since the operator sees late what is in
/// use: `release` has both sides of it.
///
/// **Which address is next** is chosen by chance within a range that a node has (`host`), and is the lowest of a list
/// of single addresses (`listed`).
///
/// What is matched, and where we differ and why: `docs/compat/cilium.md`.
@NullMarked
package io.cadastre.engine.demand;

import org.jspecify.annotations.NullMarked;
