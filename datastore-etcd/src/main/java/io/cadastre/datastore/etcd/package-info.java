/// The store in etcd v3: keys and values as they are, and etcd's own revisions, over a thin client of our
/// own.
///
/// From the outside in: [io.cadastre.datastore.etcd.EtcdDatastore] decides what a call means for a document,
/// `CommitQueue` which commits are sent together and `CommitSender` what became of them, `EtcdClient` which
/// member is asked and what is repeated, `Connection` and `Exchange` how one call goes over one connection,
/// `Requests` and the answers what its bytes are.
///
/// Commits that arrive while others are under way share the next transaction, if no two of them name the same
/// key. A commit that finds a free place is sent at once. A call that may have reached etcd and was not
/// answered stays unknown on the whole way out; only what certainly did not reach it becomes an exception. A
/// watch is one stream after another, each from the revision where the last one ended. An etcd that was
/// restored to an older state, or is another cluster, is noticed by its ids and its revision, and refused.
@NullMarked
package io.cadastre.datastore.etcd;

import org.jspecify.annotations.NullMarked;
