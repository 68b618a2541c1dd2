/// The etcd v3 store, over a thin client of our own.
///
/// From the outside in: [io.cadastre.datastore.etcd.EtcdDatastore] says what a call means for a
/// document, `CommitQueue` which commits are sent together and `CommitSender` what became of them,
/// `EtcdClient` which member is asked and what is done again, `Connection` and `Exchange` how one
/// call goes over one connection, `Requests` and the answers what its bytes are. A call that may have
/// reached etcd and was not answered stays unknown on the whole way out; only what certainly did not
/// reach it becomes an exception.
@NullMarked
package io.cadastre.datastore.etcd;

import org.jspecify.annotations.NullMarked;
