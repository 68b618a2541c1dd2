/// The port to every store: get, list, watch, and compare-and-set.
///
/// The port promises only what the weakest store can keep. A list of writes is committed in one transaction
/// where the store can (SQLite, etcd) and one by one where it cannot (the Kubernetes API), so a writer must
/// be able to live with a list that stopped after any of its writes.
///
/// A commit is [io.cadastre.datastore.Commit.Done] with the revisions,
/// [io.cadastre.datastore.Commit.Conflict] with the write that did not hold, or
/// [io.cadastre.datastore.Commit.Unknown]: the answer was lost. A store never tries again by itself, since it
/// cannot know what the answer would have been. A watch begins after the revision of a list and delivers
/// every change after it in order, or says that the store has compacted it.
///
/// [io.cadastre.datastore.Journal] is the port below the ledger: records by number, time, name and span.
@NullMarked
package io.cadastre.datastore;

import org.jspecify.annotations.NullMarked;
