/// One block of each family per node, out of several cluster CIDRs, the way Cilium's operator does it in the mode
/// cluster-pool.
///
/// **What there is.** A cluster has a list of CIDRs for each family, each list cut into blocks of one length
/// ([io.cadastre.engine.nodecidr.CidrSetList]). A CIDR gives blocks once those before it are used up. The blocks of a
/// node are written to its CiliumNode; nothing else is stored.
///
/// **Starting.** A new operator first sees the nodes that exist, in any order. A node that has CIDRs keeps them from
/// others at once. A node that has none waits until all nodes are known ([ClusterPoolEngine#sync]), as does one that
/// lacks a family: before that any block might be some other node's.
///
/// **A node without CIDRs** gets a block of each family or of none, and the error is written to its status. The cursor
/// of a family whose block was not used has moved on all the same. A node whose CIDRs were taken out of its object
/// gets the same ones again.
///
/// **A node with CIDRs that are not known yet** has them claimed, family by family. What another node has already is
/// taken out of the object, and the next event gives a fresh block instead. A CIDR outside of the cluster CIDRs claims
/// nothing, and is an error.
///
/// **A node whose CIDRs are known** keeps them: what an editor wrote instead is taken back.
///
/// **Removing a node** frees the blocks that no other node holds a part of.
///
/// The operator is one elected process and this is its memory: changes of a decision are taken in their order, and
/// [ClusterPoolChange.WritePodCidrs] and [ClusterPoolChange.WriteError] are what it writes to the node.
///
/// What is matched, and where we differ and why: `docs/compat/cilium.md`.
@NullMarked
package io.cadastre.engine.nodecidr.clusterpool;

import org.jspecify.annotations.NullMarked;
