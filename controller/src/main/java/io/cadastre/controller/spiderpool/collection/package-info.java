/// Takes back the addresses of pools whose pods are gone, as Spiderpool's controller does.
///
/// The rules are in [io.cadastre.engine.pool.collect.PoolCollector]. Watched Pods tell when a pod ends or goes
/// ([io.cadastre.controller.spiderpool.collection.PodTraces]), and a scan of all pools finds what was missed
/// ([io.cadastre.controller.spiderpool.collection.PoolScan]). Whatever they conclude, the record, the endpoint, the
/// pod, its owner and its node are read again from the store before the decision, in this order: a pod that is created
/// meanwhile cannot have what was read before it.
///
/// In a store without pools nothing is kept of the Pods.
@NullMarked
package io.cadastre.controller.spiderpool.collection;

import org.jspecify.annotations.NullMarked;
