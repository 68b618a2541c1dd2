package io.cadastre.wire.calico;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Reads documents from a store and understands them. What it has understood it does not parse again as
/// long as the bytes are the same: most documents are read many times for each time they change.
final class Reader {

    /// So many documents are remembered; with one more, none of them. An agent has little memory.
    private static final int UNDERSTOOD_MAX = 256;

    private final Datastore store;
    private final Map<String, Understood> understood = new ConcurrentHashMap<>();

    Reader(Datastore store) {
        this.store = store;
    }

    private record Understood(CalicoKey key, Bytes value, CalicoDocument content) {

        Entry at(long revision) {
            return new Entry(key, content, revision);
        }
    }

    Datastore store() {
        return store;
    }

    /// What the key holds.
    ///
    /// @throws UnparsableEntryException if it cannot be read
    Optional<Entry> get(CalicoKey key) {
        return store.get(key.text()).map(document -> understand(key, document));
    }

    /// What the keys hold, of which those that cannot be read are told apart.
    Found getAll(Collection<CalicoKey> keys) {
        var documents = store.getAll(keys.stream().map(CalicoKey::text).toList());
        var entries = new LinkedHashMap<CalicoKey, Optional<Entry>>();
        var unreadable = new ArrayList<CalicoKey>();
        for (var key : keys) {
            try {
                entries.put(
                        key,
                        Optional.ofNullable(documents.get(key.text()))
                                .map(document -> understand(key, document)));
            } catch (UnparsableEntryException _) {
                unreadable.add(key);
            }
        }
        return new Found(entries, unreadable);
    }

    /// @param entries what the keys hold that can be read, or that they hold nothing
    record Found(Map<CalicoKey, Optional<Entry>> entries, List<CalicoKey> unreadable) {}

    /// All that can be read of what is under the prefix.
    List<Entry> list(String prefix) {
        var entries = new ArrayList<Entry>();
        for (var document : store.listAll(prefix).documents()) {
            var known = known(document);
            (known.isPresent() ? known : readable(document).map(this::remember))
                    .ifPresent(one -> entries.add(one.at(document.revision())));
        }
        return entries;
    }

    private Entry understand(CalicoKey key, Document document) {
        return known(document)
                .orElseGet(() -> remember(decode(key, document)))
                .at(document.revision());
    }

    private Optional<Understood> known(Document document) {
        return Optional.ofNullable(understood.get(document.key()))
                .filter(before -> before.value().equals(document.value()));
    }

    private Understood remember(Understood one) {
        if (understood.size() >= UNDERSTOOD_MAX) {
            understood.clear();
        }
        understood.put(one.key().text(), one);
        return one;
    }

    /// What can be read. Calico passes over the rest without a word, and so must we: one damaged
    /// document must not stop everybody.
    static List<Entry> readable(Collection<Document> documents) {
        var entries = new ArrayList<Entry>();
        for (var document : documents) {
            readable(document).ifPresent(one -> entries.add(one.at(document.revision())));
        }
        return entries;
    }

    private static Optional<Understood> readable(Document document) {
        try {
            return CalicoKeys.parse(document.key()).map(key -> decode(key, document));
        } catch (UnparsableEntryException _) {
            return Optional.empty();
        }
    }

    private static Understood decode(CalicoKey key, Document document) {
        var value = document.value();
        return new Understood(key, value, CalicoDocument.decode(key, value));
    }
}
