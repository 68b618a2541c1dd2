/// Calico's address management as its etcd store has it: keys, JSON documents, and the book of blocks.
///
/// Matched: `projectcalico/calico` at `87c15906f20c`, as `libcalico-go` writes to etcd v3. On Kubernetes the same
/// documents are objects (`wire.calico.crd`); nothing here knows of that.
///
/// ## Documents and keys
///
/// | document | key, after `/calico/` | content |
/// |---|---|---|
/// | block | `ipam/v2/assignment/ipv4/block/10.244.0.0-26` | which address is whose, in the order of its ordinals |
/// | affinity | `ipam/v2/host/node-1/ipv4/block/10.244.0.0-26` | the claim of a host: its state |
/// | handle | `ipam/v2/handle/k8s-pod-network.…` | how many addresses one pod has in which blocks |
/// | configuration | `ipam/v2/config` | strict affinity, blocks per host, cool-down |
/// | host record | `ipam/v2/host/node-1` | written by old releases; only its presence counts |
/// | resource | `resources/v3/projectcalico.org/ippools/default` | pools, reservations, nodes, cluster |
///
/// [io.cadastre.wire.calico.CalicoKey] says which document is meant, [io.cadastre.wire.calico.CalicoKeys] turns it into
/// a key and back. Each kind has a class that decodes and encodes it ([io.cadastre.wire.calico.BlockDocument], …): it
/// keeps fields that it does not know and writes the bytes that Calico would write. Kinds that the allocator does not
/// read need no class here, only an entry in the table of `wire.calico.resource`.
///
/// ## Reading
///
/// [io.cadastre.wire.calico.CalicoBook] opens a page on a `CalicoSnapshot`: the engine's view, and the documents with
/// the revisions that a write compares. A page reads on when the engine misses something, and reads the blocks, handles
/// and affinities of a whole batch in one round trip. An agent starts with a `NodeCache`: a
/// [io.cadastre.wire.calico.CalicoReflector] watches configuration, pools, reservations, its node and its affinities,
/// and the blocks that the agent itself wrote are kept for ten seconds. A refusal never rests on the cache alone.
///
/// ## Writing
///
/// `CalicoWriteSet` turns changes into the net effect on each document. A store with transactions takes it as one
/// commit. For a store without them `OrderedWrites` puts the writes into an order in which every place to stop is
/// legal: an affinity is pending before its block exists, a handle counts before a block gives, and is counted
/// down after the block has taken back. It is a write set of its own, beside [io.cadastre.wire.book.WriteSet]: a
/// document may have two steps in one save, and an answer that was lost is looked for block by block.
///
/// ## Where rivals meet
///
/// - Two pods that want one address meet at the block, which both rewrite.
/// - Two hosts that claim one block meet at the block, which both create. The loser leaves an affinity that is pending.
/// - Two requests for one container meet at its handle.
/// - Two writers of overlapping pools have no key in common; in a store with transactions they meet at a
///   [io.cadastre.wire.book.RangeAnnouncement], in others their blocks still cannot overlap.
///
/// A page can look whether its writes were applied when an answer was lost. Where that cannot be known, the engine is
/// asked again with the attempt.
@NullMarked
package io.cadastre.wire.calico;

import org.jspecify.annotations.NullMarked;
