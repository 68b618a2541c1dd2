/// Blocks leased to nodes, the way Calico does it.
///
/// **What there is.** A pool is a range with a policy: which nodes and namespaces, for what use. It is
/// cut into equal blocks as they are needed. A block has an owner, a host or something virtual, and
/// says of each of its addresses that it is free, held or cooling. An affinity is the owner's note that
/// it wants, has or loses a block. A handle is the holder's note in which blocks its addresses are.
/// Only the block names its owner and what is held in it; affinities and handles are indexes that may
/// be behind or ahead, and are corrected by the next operation that finds them wrong.
///
/// **How an address is found.** The blocks that the host has, in the order of its affinities; then the
/// first place in its pools where no block is, beginning where its name says; then an empty block of
/// another, claimed more than a minute ago; then, unless affinity is strict, single addresses of
/// others' blocks. In a block, what was free longest comes first.
///
/// **How it is taken back.** By address, on condition of handle and sequence number; by handle; or by
/// the collector, when it is no longer in use. It cools for as long as is configured and then joins the
/// queue at the tail.
///
/// **What is written, and in which order.** To claim: the affinity, pending; the block; the affinity,
/// confirmed. To give: the handle; the block. To take back: the block; the handle. To give a block up:
/// the affinity, pending deletion; the block, deleted or without an owner; the affinity, deleted. So a
/// stop anywhere leaves an intention that can be finished, a handle that counts too many, or an address
/// that can still be released; and rivals for the same thing conflict at the block.
///
/// **What happens after a lost answer.** Before anything else is decided, what the attempt was given is
/// recognised by handle, attributes and sequence number, and the same is answered; what has not arrived
/// is kept from arriving. See [io.cadastre.engine.block.assign.Attempt].
///
/// What is matched, and where we do better, is in `docs/compat/calico.md`.
@NullMarked
package io.cadastre.engine.block;

import org.jspecify.annotations.NullMarked;
