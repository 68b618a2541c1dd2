/// As many blocks per node as its pods need, out of named pools, the way Cilium's operator does it in the mode
/// multi-pool.
///
/// **What there is.** A pool has CIDRs of each family, cut into blocks of one length. A node states how many addresses
/// of a pool it needs in all, and its object lists the blocks that it has. The operator adds blocks; only the node
/// takes one off its list.
///
/// **A deficit** is what the node needs less what its blocks can give, in use or not. Blocks are added until it is met
/// or the pool is empty; what was added stays.
///
/// **Orphans.** A block whose pool is gone, or whose CIDR was taken out of its pool, stays with its node as an orphan.
/// It does not count for what the node needs. It counts again once a CIDR of its pool covers it.
///
/// **No block twice.** A block is used in every pool while any node has it, counted or orphaned, so that pools which
/// overlap, or a pool made anew, never give what a node has.
///
/// **Starting.** Until all nodes are known ([MultiPoolEngine#sync]) the operator notes what nodes have and adds
/// nothing.
///
/// The operator is one elected process and this is its memory. [MultiPoolChange.WriteAllocated] and
/// [MultiPoolChange.WriteStatus] are what it writes to the node.
///
/// Moving a cluster from cluster-pool to pools is the subject of [PoolMigration].
///
/// What is matched, and where we differ and why: `docs/compat/cilium.md`.
@NullMarked
package io.cadastre.engine.nodecidr.multipool;

import org.jspecify.annotations.NullMarked;
