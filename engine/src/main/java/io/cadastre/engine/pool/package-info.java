/// Addresses drawn one by one from pools that all nodes share, the way Spiderpool does it.
///
/// **What there is.** A pool ([AddressPool]) is a set of addresses of one family in one subnet, less what it
/// excludes. Reserved addresses are taken out of all pools. An address is given to one pod, on whichever
/// node, and the record of it is in the pool. The endpoint of a pod ([PodEndpoint]) records what it has on
/// which interface; it is written after the pools and never used to find what is free.
///
/// **Which pools.** The first of these that says anything hides the others: the pod's annotations, those of
/// its namespace, the configuration of the plugin, the pools that are default ([PoolPreferences]). Names may
/// be patterns ([io.cadastre.engine.pool.select.Glob]). A name that no pool has refuses the whole request; a
/// pool that does not fit the pod, by its node, its namespace, its labels or its network, is passed over, and
/// if none is left the request is refused ([io.cadastre.engine.pool.select.PoolFilter]).
///
/// **Which pool first.** The one that is more particular about pods, then nodes, then namespaces, then
/// networks; equal ones in the order in which they were named ([io.cadastre.engine.pool.select.PoolOrder]).
///
/// **Which address is next.** The lowest free one of the first range that has one, in the order in which the
/// ranges are stored. A pool with none left is followed by the next one. A pod has at most one address of a
/// pool.
///
/// **Two pools with one address.** Rules keep pools apart, and where none is asked they may overlap. Then the pool that
/// was created first gives what both have, and none gives what a pod has by a record of the other
/// ([io.cadastre.engine.pool.select.RivalAddresses]).
///
/// **All or nothing.** Either every interface that is asked for gets an address of each family that is named
/// for it, or nothing is written.
///
/// **Asking twice.** A pod that has an endpoint of its own uid with the interface is answered from there,
/// whatever became of the pools. One whose record is in a pool and that has no endpoint is given the same
/// address again: a process stopped between the two writes. The pool is rewritten all the same, so that the
/// record cannot be taken back meanwhile. An endpoint of another uid is of an earlier pod of the same name;
/// unless that one left it to its successor, it is replaced, and the records of that pod stay until they are
/// collected, since its container may still run.
///
/// **Giving back.** A pod that lives keeps what it has: only its sandbox restarts. Of one that does not, all
/// interfaces are given back at once, unless another pod is going to have them
/// ([io.cadastre.engine.pool.keep]). A record is only removed if it is of the same pod and the same uid. What
/// is forced back empties the endpoint first, and then the records.
///
/// **Every stopping point is legal.** Records are written before the endpoint that names them, and removed
/// before it; in between there is a record whose pod can ask again, or give back.
///
/// What is matched, and where we differ and why: `docs/compat/spiderpool.md`.
@NullMarked
package io.cadastre.engine.pool;

import org.jspecify.annotations.NullMarked;
