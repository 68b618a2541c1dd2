/// Pools that are made of a subnet for one application each, the way Spiderpool does it.
///
/// **What there is.** A SpiderSubnet ([io.cadastre.engine.pool.subnet.PoolSubnet]) is a set of addresses of one
/// prefix. Its status says which pool has which of them: its *pre-allocations*. Pools that users write of the same
/// prefix are the subnet's too. Others are made for an application, one for each interface and family; their labels
/// name the application, and only its pods are given addresses of them.
///
/// **How many addresses.** As many as the application has replicas and a few more, or a fixed number
/// ([io.cadastre.engine.pool.subnet.AddressNumber], [io.cadastre.engine.pool.subnet.ReplicaCount]).
///
/// **Which.** The lowest that are free: the addresses of the subnet, less all pre-allocations, the reserved
/// addresses, and whatever a pool has that is not noted yet. A pool that shrinks gives back its lowest addresses
/// that no pod has.
///
/// **Two documents.** The pre-allocation is written first, into the subnet, where all that want its addresses meet;
/// the pool follows. If a process stops in between, the next claim finds the pre-allocation, writes it again and goes
/// on from there, or the tending of the subnet drops it when the application is gone.
///
/// **Taking back.** With its application a pool is deleted, unless it is to be kept for the next application of the
/// same kind and name. It stays while pods have addresses of it, and its pre-allocation with it.
///
/// What is matched, and where we differ and why: `docs/compat/spiderpool.md`.
@NullMarked
package io.cadastre.engine.pool.subnet;

import org.jspecify.annotations.NullMarked;
