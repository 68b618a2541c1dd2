package io.cadastre.datastore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A store of documents by key, ordered by the bytes of the key's UTF-8 form.
///
/// Every commit has a revision. One that begins after another has ended has the greater; commits that
/// a store applied together may share one. Every call ends within the time the store was opened with:
/// a read that does not is a [DatastoreException], a commit that does not is [Commit.Unknown] unless
/// it certainly had no effect; then it is an exception too. A commit that ends in an exception of any
/// kind had no effect and will have none.
///
/// An argument that breaks one of the [WriteRules] is an [IllegalArgumentException].
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

    /// What each of the keys holds now, without those that hold nothing. Each is as it was at some instant
    /// of the call; where the store can, all are of one. A store that is far away reads them in one round
    /// trip or several at a time.
    default Map<String, Document> getAll(List<String> keys) {
        var found = new LinkedHashMap<String, Document>();
        for (var key : keys) {
            get(key).ifPresent(document -> found.put(key, document));
        }
        return found;
    }

    /// The first page of the documents whose keys begin with the prefix, as they are now. The empty
    /// prefix stands for the whole store.
    Listing list(String prefix, int limit);

    /// The page that begins at the cursor, at the cursor's revision.
    ///
    /// @throws CompactedException if the store no longer knows that revision
    Listing list(Listing.Cursor cursor, int limit);

    /// The changes under a prefix with a revision greater than `after`, which is usually the revision
    /// of a list. It should not be that of a commit: another one may share it, and would not be
    /// reported.
    Watch watch(String prefix, long after);

    /// Applies the writes in order if each finds what it believes. A commit names a key once.
    Commit commit(List<Write> writes);

    /// Applies each of the writes as a commit of its own, in any order; a conflict of one does not keep the others from
    /// being applied. A store that is far away has several of them under way at once. A key is named once.
    ///
    /// As with [#commit(List)], an exception says that none of them had an effect. Where another one had, or may
    /// have had, the write that failed is [Commit.Unknown].
    ///
    /// @return how each of them ended, in their order
    default List<Commit> commitEach(List<Write> writes) {
        WriteRules.checkWrites(writes);
        return IndependentWrites.commits(writes, write -> commit(List.of(write)));
    }

    /// Whether a document that was found means what a write of this value would have stored. A store whose server
    /// fills in fields, leaves some out or writes them in another order compares the meaning; any other
    /// compares bytes.
    default boolean holds(Document found, Bytes value) {
        return found.value().equals(value);
    }

    /// Looks whether writes whose answer was lost have been applied: each key holds what was written, at a
    /// newer revision than the one that was replaced. Empty means that this is unknown. Another writer may
    /// have written the same.
    default Optional<Commit.Done> findApplied(List<Write> writes) {
        var revisions = new ArrayList<Long>();
        for (var write : writes) {
            var found = get(write.key());
            var revision =
                    switch (write) {
                        case Write.Create(var _, var value) ->
                            found.filter(document -> holds(document, value)).map(Document::revision);
                        case Write.Update(var _, var value, var replaced) ->
                            found.filter(document -> document.revision() > replaced && holds(document, value))
                                    .map(Document::revision);
                        case Write.Delete(var _, var deleted) ->
                            found.isEmpty() ? Optional.of(deleted) : Optional.<Long>empty();
                    };
            if (revision.isEmpty()) {
                return Optional.empty();
            }
            revisions.add(revision.get());
        }
        return Optional.of(new Commit.Done(revisions));
    }

    /// The journal that this store keeps beside its documents, if it keeps one: it is written in one
    /// transaction with them by [#commit(List, Records)].
    default Optional<Journal> journal() {
        return Optional.empty();
    }

    /// Commits as [#commit(List)] does, and appends to the [#journal()] in the same transaction: both are
    /// done or neither is, also if the answer is lost. What the records throw is thrown on, or is the cause
    /// of what is thrown; then nothing was done.
    default Commit commit(List<Write> writes, Records records) {
        throw new IllegalStateException("this store keeps no journal");
    }

    /// What the journal records of a commit.
    @FunctionalInterface
    interface Records {

        /// Made while no other writer of any process can commit or append, perhaps by another thread. It
        /// must not use the store itself.
        ///
        /// @param revision the one the commit is going to have
        /// @param last the last record, if there is any
        List<Journal.Draft> after(long revision, Optional<Journal.Entry> last);
    }

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

    /// Gives all documents under a prefix to a reader, each once and as they were at one revision, without
    /// having them all in memory. Neither the pages nor what is in them have an order, so that a store may
    /// give them as it finds them. Every page ends within the time of a call.
    ///
    /// @return the revision
    /// @throws CompactedException if the store forgot that revision before the last page. What was
    ///     given until then must not be used.
    default long scan(String prefix, Consumer<List<Document>> pages) {
        var page = list(prefix, PAGE_DOCUMENTS_MAX);
        pages.accept(page.documents());
        // Ends: each page begins after the last key of the one before.
        while (page.next().isPresent()) {
            page = list(page.next().get(), PAGE_DOCUMENTS_MAX);
            pages.accept(page.documents());
        }
        return page.revision();
    }

    /// All pages of a list, of one revision and in the order of keys. Begins again if the store compacts in
    /// between.
    default Listing listAll(String prefix) {
        int attemptsMax = 5;
        for (int attempt = 1; ; attempt++) {
            try {
                var documents = new ArrayList<Document>();
                long revision = scan(prefix, documents::addAll);
                return new Listing(documents, revision, Optional.empty());
            } catch (CompactedException compacted) {
                if (attempt == attemptsMax) {
                    throw compacted;
                }
            }
        }
    }
}
