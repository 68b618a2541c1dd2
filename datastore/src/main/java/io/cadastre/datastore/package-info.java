/// The port to every store: get, list, watch, and compare-and-set.
///
/// **What every store promises.** Documents are bytes under keys, ordered by the bytes of the key. Every commit has
/// a revision, and a commit that begins after another has ended has the greater one. A write names what it
/// believes: that the key is free ([io.cadastre.datastore.Write.Create]), or that the document has the revision at
/// which it was read. Every call ends within a time that was set when the store was opened.
///
/// **The weakest store sets the terms.** A list of writes is committed in one transaction where the store can
/// (SQLite, etcd) and one by one where it cannot (the Kubernetes API), so a writer must be able to live with a list
/// that stopped after any of its writes. [io.cadastre.datastore.Datastore#atomic()] says which it is. Writes that do
/// not depend on each other may be committed each by itself, several at a time. Bounds on sizes
/// and counts are the same everywhere ([io.cadastre.datastore.WriteRules]), so that code which works on one store
/// works on all.
///
/// **Three ends of a commit.** [io.cadastre.datastore.Commit.Done] has the revisions.
/// [io.cadastre.datastore.Commit.Conflict] names the first write that did not hold; nothing was written. With
/// [io.cadastre.datastore.Commit.Unknown] the answer was lost: the commit may have been applied, or may yet be. A store
/// never tries again by itself, since the second attempt would meet the first one and call it a conflict. An
/// exception means that nothing was written and nothing will be.
///
/// **Lists and watches fit together.** All pages of a list are of one revision. A watch begins after the revision of a
/// list and delivers every change after it, in order, or [io.cadastre.datastore.Watch.Notice.Compacted]: then the
/// reader lists again. No change is left out in silence.
///
/// **The journal** ([io.cadastre.datastore.Journal]) is the port below the ledger: records by number, time, name and
/// span. A store may keep one and write it in the transaction of a commit
/// ([io.cadastre.datastore.Datastore#commit(java.util.List, io.cadastre.datastore.Datastore.Records)]).
///
/// One suite of contract tests, `DatastoreContract`, states all of this, and every store passes it. `memory` is a store
/// for tests and the simulator; [io.cadastre.datastore.RoutedDatastore] sends keys to different stores.
@NullMarked
package io.cadastre.datastore;

import org.jspecify.annotations.NullMarked;
