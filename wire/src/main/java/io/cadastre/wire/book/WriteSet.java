package io.cadastre.wire.book;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.registry.PageFullException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is to be written over documents that were read: several changes of one key become one write,
/// on condition that the key is as it was read.
///
/// The writes come in an order that is legal where a store applies them one by one and stops after
/// any of them, provided that each change only gives or only takes back, and that the state after the
/// last one is legal. First come the deletions, which only take back; then everything else, in the
/// order in which it was first noted. So each state on the way is a part of the state at the start or
/// of the state at the end. One thing would break that: a document that is deleted and created again
/// gives up one thing and takes another in a single write, and two such documents that swap have no
/// legal order at all. That does not fit into one commit.
///
/// A value: noting returns another.
public final class WriteSet {

    private final Map<String, Document> read;
    private final Map<String, Note> notes;

    private WriteSet(Map<String, Document> read, Map<String, Note> notes) {
        this.read = read;
        this.notes = notes;
    }

    /// Nothing noted over these documents, which are those of their keys. Every other key is believed
    /// not to exist.
    public static WriteSet over(List<Document> documents) {
        var read = LinkedHashMap.<String, Document>newLinkedHashMap(documents.size());
        for (var document : documents) {
            read.put(document.key(), document);
        }
        return new WriteSet(read, new LinkedHashMap<>());
    }

    /// What the key holds once everything noted is written.
    public Optional<Bytes> find(String key) {
        return switch (note(key)) {
            case Note.Put(var value) -> Optional.of(value);
            case Note.Gone _ -> Optional.empty();
            case Note.Untouched _ -> Optional.ofNullable(read.get(key)).map(Document::value);
        };
    }

    /// What was read of the key.
    public Optional<Bytes> findRead(String key) {
        return Optional.ofNullable(read.get(key)).map(Document::value);
    }

    /// This with a value for the key, whether it holds one or not.
    ///
    /// @throws PageFullException if the key was deleted before
    public WriteSet put(String key, Bytes value) {
        if (note(key) instanceof Note.Gone && read.containsKey(key)) {
            throw new PageFullException(
                    "%s is deleted by this commit and cannot be created by it again".formatted(key));
        }
        return with(key, new Note.Put(value));
    }

    /// This without the key.
    public WriteSet delete(String key) {
        if (find(key).isEmpty()) {
            throw new IllegalStateException("%s is deleted and does not exist".formatted(key));
        }
        return with(key, new Note.Gone());
    }

    /// The writes, each key once.
    public List<Write> writes() {
        var deletions = new ArrayList<Write>();
        var others = new ArrayList<Write>();
        notes.forEach((key, note) -> {
            var before = Optional.ofNullable(read.get(key));
            switch (note) {
                case Note.Put(var value) ->
                    others.add(before.<Write>map(document -> new Write.Update(key, value, document.revision()))
                            .orElseGet(() -> new Write.Create(key, value)));
                case Note.Gone _ ->
                    before.ifPresent(document -> deletions.add(new Write.Delete(key, document.revision())));
                case Note.Untouched _ -> {}
            }
        });
        deletions.addAll(others);
        return deletions;
    }

    private Note note(String key) {
        return notes.getOrDefault(key, new Note.Untouched());
    }

    private WriteSet with(String key, Note note) {
        var changed = new LinkedHashMap<>(notes);
        changed.put(key, note);
        var after = new WriteSet(read, changed);
        int writes = after.writes().size();
        if (writes > Datastore.WRITES_MAX) {
            throw new PageFullException(writes, Datastore.WRITES_MAX);
        }
        return after;
    }

    private sealed interface Note {
        record Untouched() implements Note {}

        record Put(Bytes value) implements Note {}

        record Gone() implements Note {}
    }
}
