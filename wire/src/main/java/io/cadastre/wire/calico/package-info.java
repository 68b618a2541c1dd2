/// Calico's address management as its etcd store has it: keys, JSON documents, and the book of blocks.
///
/// Matched: `projectcalico/calico` at `87c15906f20c`, as `libcalico-go` writes to etcd v3.
///
/// - **Keys and documents.** [io.cadastre.wire.calico.CalicoKey] names a document, `CalicoKeys` its place in
/// etcd. Each kind has a class that decodes and encodes it (`BlockDocument`, `AffinityDocument`, …), keeps
/// fields that it does not know, and writes the bytes that Calico would write.
/// - **The book.** [io.cadastre.wire.calico.CalicoBook] opens a page on a `CalicoSnapshot`: the engine's
/// view, and the documents with the revisions that a write compares. A page reads on when the engine misses
/// something, and reads the host's blocks, handles and affinities of a whole batch in one round trip.
/// - **Writing.** `CalicoWriteSet` turns changes into the net effect on each document. A store with
/// transactions takes it as one commit. For a store without them `OrderedWrites` puts the writes into an
/// order in which every place to stop is legal: an affinity is pending before its block exists, a handle
/// counts before a block gives, and is counted down after the block has taken back.
/// - **The cache.** A [io.cadastre.wire.calico.CalicoReflector] watches configuration, pools, reservations,
/// one node and its affinities for an agent; `NodeCache` adds the blocks that the agent itself wrote, for ten
/// seconds. A refusal never rests on the cache alone.
/// - **Lost answers.** A page can look whether its writes were applied. Where that cannot be known, the
/// engine is asked again with the attempt.
@NullMarked
package io.cadastre.wire.calico;

import org.jspecify.annotations.NullMarked;
