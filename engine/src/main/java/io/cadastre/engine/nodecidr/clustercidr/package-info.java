/// One block of each family per node, out of whichever ClusterCIDR suits the node, the way the
/// MultiCIDRRangeAllocator of Kubernetes does it.
///
/// **What there is.** A [ClusterCidr] is an object of the cluster: an IPv4 CIDR, an IPv6 CIDR or both,
/// the number of host bits of a node's block, and a selector of nodes. What is known of it while a
/// controller runs is a [ClusterCidrEntry]. ClusterCIDRs may overlap, also with other block sizes.
///
/// **What is used.** A block of a ClusterCIDR is used while anything touches it: a service range, a CIDR
/// on a node, or a block that is reserved for a node and on its way there. It does not matter to which
/// ClusterCIDR the CIDR belongs, or whether it belongs to any. So overlapping ClusterCIDRs never give
/// overlapping blocks, and the search for a free block looks at one bitmap instead of at all blocks.
///
/// **Which ClusterCIDR is tried first** is the subject of [CandidateOrder], which block is next that of
/// [io.cadastre.engine.nodecidr.CidrSet]. A candidate gives a block of each of its families or of none.
///
/// **A node and its ClusterCIDR are associated** from the reservation until the node is gone, whatever
/// labels the node has by then.
///
/// **In three steps.** [ClusterCidrEngine#assign] reserves blocks in memory; the caller writes them to the
/// node and then confirms the reservation or gives it back. While it is not known whether the write
/// arrived, the reservation stays, and the next assignment answers with the same blocks.
///
/// **Deleting a ClusterCIDR** waits for its nodes: it has a finalizer, gives nothing more, and loses the
/// finalizer when no node is associated with it any more.
///
/// What is matched, and where we differ and why: `docs/compat/node-cidr.md`.
@NullMarked
package io.cadastre.engine.nodecidr.clustercidr;

import org.jspecify.annotations.NullMarked;
