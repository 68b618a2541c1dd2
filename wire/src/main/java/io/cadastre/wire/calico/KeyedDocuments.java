package io.cadastre.wire.calico;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Documents by key: many that were known before, and the few learned since. A value.
///
/// Each of many pages begins with what a host's process keeps and learns little, so what it learns does
/// not copy what was there.
final class KeyedDocuments {

    static final KeyedDocuments NONE = new KeyedDocuments(Collections.emptyMap(), Collections.emptyMap());

    private final Map<CalicoKey, StoredDocument> before;

    /// Empty for those that are not there any more.
    private final Map<CalicoKey, Optional<StoredDocument>> since;

    private KeyedDocuments(Map<CalicoKey, StoredDocument> before, Map<CalicoKey, Optional<StoredDocument>> since) {
        this.before = before;
        this.since = since;
    }

    Optional<StoredDocument> find(CalicoKey key) {
        var learned = since.get(key);
        return learned == null ? Optional.ofNullable(before.get(key)) : learned;
    }

    /// What was learned since it was [#settled()].
    Stream<StoredDocument> learned() {
        return since.values().stream().flatMap(Optional::stream);
    }

    int learnedCount() {
        return since.size();
    }

    KeyedDocuments with(Collection<StoredDocument> read) {
        var more = new HashMap<>(since);
        read.forEach(entry -> more.put(entry.key(), Optional.of(entry)));
        return new KeyedDocuments(before, more);
    }

    KeyedDocuments without(CalicoKey key) {
        if (find(key).isEmpty()) {
            return this;
        }
        var more = new HashMap<>(since);
        more.put(key, Optional.empty());
        return new KeyedDocuments(before, more);
    }

    KeyedDocuments without(Predicate<CalicoKey> unwanted) {
        var fewer = new HashMap<>(before);
        fewer.keySet().removeIf(unwanted);
        var fewerSince = new HashMap<>(since);
        fewerSince.keySet().removeIf(unwanted);
        return new KeyedDocuments(fewer, fewerSince);
    }

    /// The same, all of it known before.
    KeyedDocuments settled() {
        var all = new HashMap<>(before);
        since.forEach((key, learned) -> learned.ifPresentOrElse(entry -> all.put(key, entry), () -> all.remove(key)));
        return new KeyedDocuments(all, Collections.emptyMap());
    }
}
