/// The store in etcd v3: keys and values as they are, and etcd's own revisions, over a thin client of our
/// own.
///
/// **Layers**, from the outside in: [io.cadastre.datastore.etcd.EtcdDatastore] decides what a call means for a
/// document, `CommitQueue` which commits are sent together and `CommitSender` what became of them, `EtcdClient` which
/// member is asked and what is repeated, `Connection` and `Exchange` how one call goes over one connection,
/// `Requests` and the answers what its bytes are (`ProtoReader`, `ProtoWriter`).
///
/// **Writes share transactions.** Commits that arrive while others are under way share the next transaction, if no
/// two of them name the same key. A commit that finds a free place is sent at once. Within a transaction each commit
/// has its own comparison and its own answer, so one conflict spoils no other commit.
///
/// **Unknown stays unknown.** A call that may have reached etcd and was not answered stays unknown on the whole way
/// out; only what certainly did not reach it becomes an exception. What was never sent is tried on the other
/// members; what
/// may have been sent is tried again only if it is a read. `EtcdFailures` says what each status means.
///
/// **A watch is one stream after another**, each from the revision where the last one ended, so that a broken
/// connection loses nothing (`EtcdWatch`).
///
/// **Another etcd is refused.** One that was restored to an older state, or is another cluster, is noticed by its ids
/// and its revision (`StoreIdentityCheck`), since callers were promised addresses that it does not know.
///
/// **Access.** Endpoints come from settings or from DNS (`EtcdEndpoint`, `SrvLookup`), keys and certificates from files
/// (`TlsContext`, `PemKey`); a token that etcd no longer knows is replaced (`AuthTokens`).
@NullMarked
package io.cadastre.datastore.etcd;

import org.jspecify.annotations.NullMarked;
