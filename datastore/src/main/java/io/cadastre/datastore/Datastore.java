package io.cadastre.datastore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A store of documents by key, ordered by the bytes of the key's UTF-8 form.
///
/// Every commit has a revision. One that begins after another has ended has the greater; commits that
/// a store applied together may share one. Every call ends within the time the store was opened with:
/// a read that does not is a [DatastoreException], a commit that does not is [Commit.Unknown] unless
/// it certainly had no effect; then it is an exception too. A commit that ends in an exception of any
/// kind had no effect and will have none.
///
/// An argument that breaks one of the [Rules] is an [IllegalArgumentException].
///
/// Safe for use by any number of threads.
public interface Datastore extends AutoCloseable {

    /// Every store takes values up to this size.
    int VALUE_BYTES_MAX = 1 << 20;

    /// Every store takes keys up to this many bytes of UTF-8.
    int KEY_BYTES_MAX = 1024;

    /// Every store takes commits of up to this many writes.
    int WRITES_MAX = 128;

    /// Every store gives pages of up to this many documents.
    int PAGE_DOCUMENTS_MAX = 1000;

    /// What the key holds now.
    Optional<Document> get(String key);

    /// The first page of the documents whose keys begin with the prefix, as they are now. The empty
    /// prefix stands for the whole store.
    Listing list(String prefix, int limit);

    /// The page that begins at the cursor, at the cursor's revision.
    ///
    /// @throws CompactedException if the store no longer knows that revision
    Listing list(Listing.Cursor cursor, int limit);

    /// The changes under a prefix with a revision greater than `after`, which is usually the revision
    /// of a list. It should not be that of a commit: another one may share it, and would not be told.
    Watch watch(String prefix, long after);

    /// Applies the writes in order if each finds what it believes. A commit names a key once.
    Commit commit(List<Write> writes);

    /// Whether there is a place for the key. Only a store that keeps documents as something else has keys
    /// without one: nothing is ever found there, and a commit that writes one fails.
    default boolean hasPlace(String key) {
        return true;
    }

    /// Whether a commit has an effect as a whole or none. A store that says no applies the writes one by
    /// one and may stop between any two of them.
    default boolean atomic() {
        return true;
    }

    /// Ends the calls that are under way, each with its answer or with an exception of kind
    /// [DatastoreException.Kind#CLOSED], and every watch. Closing twice is closing once.
    @Override
    void close();

    /// All pages of a list, of one revision. Begins again if the store compacts in between.
    default Listing listAll(String prefix) {
        int attemptsMax = 5;
        for (int attempt = 1; ; attempt++) {
            try {
                var documents = new ArrayList<Document>();
                var page = list(prefix, PAGE_DOCUMENTS_MAX);
                documents.addAll(page.documents());
                // Ends: each page begins after the last key of the one before.
                while (page.next().isPresent()) {
                    page = list(page.next().get(), PAGE_DOCUMENTS_MAX);
                    documents.addAll(page.documents());
                }
                return new Listing(documents, page.revision(), Optional.empty());
            } catch (CompactedException compacted) {
                if (attempt == attemptsMax) {
                    throw compacted;
                }
            }
        }
    }
}
