package io.cadastre.datastore;

import java.time.Duration;
import java.util.List;

/// The changes under a prefix since a revision, in order and without gaps.
public interface Watch extends AutoCloseable {

    /// Waits for what comes next, at most this long; a limit of zero does not wait.
    ///
    /// @throws DatastoreException of kind [DatastoreException.Kind#CLOSED] when the watch or its store
    ///     is closed, before or while it waits
    Notice next(Duration limit);

    @Override
    void close();

    /// What a watch reports.
    sealed interface Notice {

        /// What one commit changed under the prefix, or several that share this revision. A commit is
        /// never reported in parts.
        record Changed(long revision, List<Change> changes) implements Notice {
            public Changed {
                changes = List.copyOf(changes);
            }
        }

        /// Nothing happened within the limit.
        record Quiet() implements Notice {}

        /// The store has forgotten changes that this watch has not reported yet. The watch is over:
        /// list again, and watch from the revision of that list. Asked again, it says the same.
        record Compacted(long oldestRevision) implements Notice {}
    }

    /// One changed key.
    sealed interface Change {

        String key();

        record Put(Document document) implements Change {
            @Override
            public String key() {
                return document.key();
            }
        }

        record Deleted(String key, long revision) implements Change {}
    }
}
