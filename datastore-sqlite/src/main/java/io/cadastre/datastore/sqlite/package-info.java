/// The embedded store: documents, their recent history and the ledger in one SQLite file.
///
/// Several processes may open the file. Callers of one process meet in a group commit: one of them leads, and
/// writes what all of them want in one transaction, so that one sync serves many. Reads go to connections of
/// their own. Watches read the log of changes that every commit writes, woken by a signal within the process
/// and by looking again across processes.
///
/// A small file beside the database, the mark, records how far the database had come when a caller was
/// answered. A file that is older, shorter or another one is refused, since addresses were promised that it
/// does not know.
@NullMarked
package io.cadastre.datastore.sqlite;

import org.jspecify.annotations.NullMarked;
