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
final class CalicoReader {

    /// How many documents are cached; with one more, all of them are dropped. An agent has little memory.
    private static final int UNDERSTOOD_MAX = 256;

    private final Datastore store;
    private final Map<String, Understood> understood = new ConcurrentHashMap<>();

    CalicoReader(Datastore store) {
        this.store = store;
    }

    private record Understood(CalicoKey key, Bytes value, CalicoDocument content) {

        StoredDocument at(long revision) {
            return new StoredDocument(key, content, revision);
        }
    }

    Datastore store() {
        return store;
    }

    /// What the key holds.
    ///
    /// @throws UnparsableEntryException if it cannot be read
    Optional<StoredDocument> get(CalicoKey key) {
        return store.get(key.text()).map(document -> understand(key, document));
    }

    /// What the keys hold, with those that cannot be read listed apart.
    Found getAll(Collection<CalicoKey> keys) {
        var documents = store.getAll(keys.stream().map(CalicoKey::text).toList());
        var entries = new LinkedHashMap<CalicoKey, Optional<StoredDocument>>();
        var unreadable = new ArrayList<CalicoKey>();
        for (var key : keys) {
            try {
                entries.put(
                        key, Optional.ofNullable(documents.get(key.text())).map(document -> understand(key, document)));
            } catch (UnparsableEntryException _) {
                unreadable.add(key);
            }
        }
        return new Found(entries, unreadable);
    }

    /// @param entries what the keys hold that can be read, or that they hold nothing
    record Found(Map<CalicoKey, Optional<StoredDocument>> entries, List<CalicoKey> unreadable) {}

    /// All that can be read of what is under the prefix.
    List<StoredDocument> list(String prefix) {
        var entries = new ArrayList<StoredDocument>();
        for (var document : store.listAll(prefix).documents()) {
            var known = known(document);
            (known.isPresent() ? known : readable(document).map(this::remember))
                    .ifPresent(one -> entries.add(one.at(document.revision())));
        }
        return entries;
    }

    private StoredDocument understand(CalicoKey key, Document document) {
        return known(document).orElseGet(() -> remember(decode(key, document))).at(document.revision());
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

    /// What can be read. Calico skips the rest silently, and so must we: one damaged document must not stop
    /// every request.
    static List<StoredDocument> readable(Collection<Document> documents) {
        var entries = new ArrayList<StoredDocument>();
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
