/// What pods left behind in pools: which records and endpoints are taken back, when, and why.
///
/// **The record.** A scan looks at each record of each pool, beside the pod and the endpoint of its name
/// ([PoolCollector#judge]). A record is removed only if it still has the uid that was judged.
///
/// | the pod | the record | the endpoint |
/// |---|---|---|
/// | does not exist | freed, unless its owner will create it again | goes with the record |
/// | has another uid than the record | freed, unless the pod inherits it | |
/// | has another uid than the endpoint | | deleted, unless the pod inherits it |
/// | ended or being deleted, its grace over | freed, if the node's gate is open | goes with the record |
/// | lives | kept | kept |
///
/// A pod of a StatefulSet or of a virtual machine is *valid* as long as its owner will create it again under the
/// same name ([Keeping]). A valid pod inherits what its predecessor had until it reports addresses of its own.
///
/// **The event.** Between scans a pod that is deleted, or that begins to end, gets a time at which its addresses are
/// released ([PodTrace]). The release looks at the pod once more ([PoolCollector#releaseTraced]).
///
/// **A live pod keeps its address whatever a cache says.** Facts about a pod ([KnownPod]) are read from the store
/// after the record and the uid of the endpoint that they are judged with. A uid is never used twice, so a record or
/// an endpoint of a uid that no pod has any more can only be left over, however late the decision is saved.
///
/// What is matched, and where we differ and why: `docs/compat/spiderpool.md`.
@NullMarked
package io.cadastre.engine.pool.collect;

import org.jspecify.annotations.NullMarked;
