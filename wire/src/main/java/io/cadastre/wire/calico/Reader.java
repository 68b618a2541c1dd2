package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Reads documents from a store and understands them.
record Reader(Datastore store) {

    /// What the key holds.
    ///
    /// @throws UnparsableEntryException if it cannot be read
    Optional<Entry> get(CalicoKey key) {
        return store.get(key.text())
                .map(
                        document ->
                                new Entry(
                                        key,
                                        CalicoDocument.decode(key, document.value()),
                                        document.revision()));
    }

    /// All that can be read of what is under the prefix.
    List<Entry> list(String prefix) {
        return readable(store.listAll(prefix).documents());
    }

    /// What can be read. Calico passes over the rest without a word, and so must we: one damaged
    /// document must not stop everybody.
    static List<Entry> readable(Collection<Document> documents) {
        var entries = new ArrayList<Entry>();
        for (var document : documents) {
            CalicoKeys.parse(document.key())
                    .flatMap(key -> decode(key, document))
                    .ifPresent(entries::add);
        }
        return entries;
    }

    private static Optional<Entry> decode(CalicoKey key, Document document) {
        try {
            return Optional.of(
                    new Entry(
                            key,
                            CalicoDocument.decode(key, document.value()),
                            document.revision()));
        } catch (UnparsableEntryException _) {
            return Optional.empty();
        }
    }
}
