package io.cadastre.datastore;

import java.util.List;

/// How a list of writes ended.
public sealed interface Commit {

    /// All writes are durable. One revision for each write, in their order; a deletion has one too.
    /// Other commits may have the same, of other keys.
    record Done(List<Long> revisions) implements Commit {
        public Done {
            revisions = List.copyOf(revisions);
        }
    }

    /// The write at `index` found the store other than it believed. Writes before it may have been
    /// applied where the store has no transactions; it and the writes after it were not.
    record Conflict(int index, Kind kind) implements Commit {}

    /// The answer was lost: the writes may have been applied or not, or may yet be. The caller reads
    /// again before it decides anything.
    record Unknown(String reason) implements Commit {}

    /// What a write found instead of what it believed.
    enum Kind {
        /// A key to be created exists.
        EXISTS,
        /// A key to be updated or deleted does not exist.
        ABSENT,
        /// A key to be updated or deleted is at another revision.
        STALE
    }
}
