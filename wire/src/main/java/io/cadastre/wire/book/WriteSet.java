package io.cadastre.wire.book;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.registry.PageFullException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Documents that were read, what is wanted in their place, and the conditional writes between the two: several
/// changes of one key become one write, on condition that the key is as it was read.
///
/// A value: noting returns another.
public final class WriteSet {

    /// The order of the writes, which matters where a store applies them one by one and may stop after any.
    public enum Order {
        /// Deletions, then everything else as it was first noted. Each state on the way is a part of the state
        /// at the start or of the state at the end, provided that each change only gives or only takes back.
        /// One thing would break that: a document that is deleted and created again gives up one thing and
        /// takes another in a single write, and two such documents that swap have no legal order at all. That
        /// does not fit into one commit.
        DELETIONS_FIRST,

        /// As it was first noted: the decision knows which order is legal.
        AS_NOTED
    }

    private final Map<String, Document> read;
    private final Order order;

    /// What each key is to hold; empty if it is to be deleted.
    private final Map<String, Optional<Bytes>> notes;

    private WriteSet(Map<String, Document> read, Order order, Map<String, Optional<Bytes>> notes) {
        this.read = read;
        this.order = order;
        this.notes = notes;
    }

    /// Nothing noted over these documents, which are those of their keys. Every other key is believed
    /// not to exist.
    public static WriteSet over(Collection<Document> documents, Order order) {
        return new WriteSet(Map.of(), order, Map.of()).reading(documents);
    }

    /// This over further documents, of keys that nothing is noted for.
    public WriteSet reading(Collection<Document> further) {
        var more = new LinkedHashMap<>(read);
        further.forEach(document -> more.put(document.key(), document));
        return new WriteSet(more, order, notes);
    }

    /// What the key holds once everything noted is written.
    public Optional<Bytes> find(String key) {
        var note = notes.get(key);
        return note == null ? findRead(key) : note;
    }

    /// What was read of the key.
    public Optional<Bytes> findRead(String key) {
        return Optional.ofNullable(read.get(key)).map(Document::value);
    }

    /// This with a value for the key, whether it holds one or not.
    ///
    /// @throws PageFullException if the key was deleted before
    public WriteSet put(String key, Bytes value) {
        if (read.containsKey(key) && find(key).isEmpty()) {
            throw new PageFullException(
                    "%s is deleted by this commit and cannot be created by it again".formatted(key));
        }
        return with(key, Optional.of(value));
    }

    /// This without the key.
    public WriteSet delete(String key) {
        if (find(key).isEmpty()) {
            throw new IllegalStateException("%s is deleted and does not exist".formatted(key));
        }
        return with(key, Optional.empty());
    }

    /// This with the changes of one decision. It takes those of one only, for pages whose view does not show
    /// what was noted.
    ///
    /// @throws PageFullException if it has those of another
    public WriteSet with(List<DocumentChange> changes) {
        if (!changes.isEmpty() && !notes.isEmpty()) {
            throw new PageFullException("%s and other documents of its kind are written one decision at a time"
                    .formatted(changes.getFirst().key()));
        }
        var after = this;
        for (var change : changes) {
            after = switch (change) {
                case DocumentChange.Put put -> after.put(put.key(), put.value());
                case DocumentChange.Drop drop -> after.delete(drop.key());
            };
        }
        return after;
    }

    /// The writes, each key once.
    public List<Write> writes() {
        var writes = new ArrayList<Write>();
        int deletions = 0;
        for (var note : notes.entrySet()) {
            var key = note.getKey();
            var before = Optional.ofNullable(read.get(key));
            if (note.getValue().isPresent()) {
                var value = note.getValue().get();
                writes.add(before.<Write>map(document -> new Write.Update(key, value, document.revision()))
                        .orElseGet(() -> new Write.Create(key, value)));
            } else if (before.isPresent()) {
                var deletion = new Write.Delete(key, before.get().revision());
                writes.add(order == Order.DELETIONS_FIRST ? deletions++ : writes.size(), deletion);
            }
        }
        return writes;
    }

    private WriteSet with(String key, Optional<Bytes> note) {
        var changed = new LinkedHashMap<>(notes);
        changed.put(key, note);
        var after = new WriteSet(read, order, changed);
        if (changed.size() > Datastore.WRITES_MAX && after.writes().size() > Datastore.WRITES_MAX) {
            throw new PageFullException(after.writes().size(), Datastore.WRITES_MAX);
        }
        return after;
    }
}
