/// The embedded store: documents, their recent history and the ledger in one SQLite file.
///
/// **One file, several processes.** `DatabaseFile` finds or opens the file and checks that it is a store of ours before
/// anything is written; `DatabaseCreation` makes a new one, whole or not at all; `Schema` is what is in it. The file is
/// opened through SQLite alone, since closing any other descriptor would drop SQLite's locks.
///
/// **Writes are grouped.** Callers of one process meet in `Committer`: one of them leads and writes what all of them
/// want in one transaction, so that one sync serves many. Each commit is checked and answered by itself
/// (`DocumentWriter`). Its entries of the ledger are in the same transaction (`RecordWriter`, `JournalTables`).
///
/// **Reads do not wait for writes.** They go to connections of their own (`Readers`, `DocumentReader`), and a page of a
/// list is read from the log of changes at the revision of the first page.
///
/// **Watches read the log of changes** (`ChangeLog`, `Chunk`) that every commit writes. `ChangeSignal` wakes them
/// within the process, and looks at the file now and then for commits of other processes. The log is bounded; a
/// watch that fell behind it ends with a notice that the store has compacted it.
///
/// **The mark.** A small file beside the database (`MarkFile`, `HighWaterMark`) records how far the database had come
/// when a caller was answered. A database that is older, shorter or another one is refused, since callers were
/// promised addresses that it does not know. `cadastre ipam adopt` accepts it after comparing it with the ledger and
/// the machine (`MissingRecords`). A `MarkedTransaction` begins only if the database has what was promised, and
/// promises what it committed.
///
/// **Failures.** A commit that SQLite fails to make durable is unknown, and the store serves nothing more until it is
/// opened again (`StoreState`). A full disk, a lock that is not released and a damaged file have exceptions of their
/// own (`SqliteFailures`).
@NullMarked
package io.cadastre.datastore.sqlite;

import org.jspecify.annotations.NullMarked;
