/// Spiderpool's objects as documents, the book of the law of pools, and what users may write.
///
/// ## Documents and keys
///
/// The documents have the form in which the API server keeps them, and their keys are like its paths
/// ([io.cadastre.wire.spiderpool.objects.SpiderKeys]):
///
/// | document | key, after `/cadastre/apis/spiderpool.spidernet.io/v2beta1/` | content |
/// |---|---|---|
/// | `SpiderIPPool` | `spiderippools/p4` | ranges, selectors, and in its status one record per address in use |
/// | `SpiderReservedIP` | `spiderreservedips/r4` | addresses that no pool gives |
/// | `SpiderMultusConfig` | `spidermultusconfigs/default/macvlan` | a network of Multus |
/// | `SpiderCoordinator` | `spidercoordinators/default` | how routes are set beside the addresses |
/// | `SpiderEndpoint` | `spiderendpoints/default/web-0` | what a pod was given, by interface |
///
/// On an API server they are the objects themselves ([io.cadastre.wire.spiderpool.objects.SpiderResources]): the status
/// of a pool takes a write of its own, and a finalizer keeps what is deleted.
///
/// [io.cadastre.wire.spiderpool.objects.SpiderKinds] is the table of kinds: names, fields, columns and the rules of
/// Spiderpool's webhooks. A new kind is one file and one line there.
///
/// ## Two books
///
/// [io.cadastre.wire.spiderpool.objects.SpiderBook] gives and takes addresses. It reads only the pools and
/// endpoints that a decision needs. A pool may have thousands of records, so its page notes which documents
/// change and encodes them once, when it is saved. Where a store applies writes one by one, endpoints that are
/// emptied come first, then pools, then endpoints that record something, and last those that are deleted: no
/// endpoint records an address that its pool does not.
///
/// [io.cadastre.wire.spiderpool.objects.ObjectBook] is for the objects that users write. It reads all pools, since they
/// must not overlap, and takes the changes of one decision at a time.
///
/// ## Where rivals meet
///
/// - Two pods that want one address meet at the pool, which both rewrite.
/// - Two requests of one pod meet at its endpoint.
/// - Two writers of overlapping pools meet at a key of ours, `/cadastre/spiderpool/pools`, where the store has
///   transactions and a place for it. Where it does not, the pool that is created later leaves the addresses to the
///   other ([io.cadastre.wire.spiderpool.objects.RivalPools]).
@NullMarked
package io.cadastre.wire.spiderpool.objects;

import org.jspecify.annotations.NullMarked;
