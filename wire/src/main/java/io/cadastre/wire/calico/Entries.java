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
final class Entries {

    static final Entries NONE = new Entries(Collections.emptyMap(), Collections.emptyMap());

    private final Map<CalicoKey, Entry> before;

    /// Empty for those that are not there any more.
    private final Map<CalicoKey, Optional<Entry>> since;

    private Entries(Map<CalicoKey, Entry> before, Map<CalicoKey, Optional<Entry>> since) {
        this.before = before;
        this.since = since;
    }

    Optional<Entry> find(CalicoKey key) {
        var learned = since.get(key);
        return learned == null ? Optional.ofNullable(before.get(key)) : learned;
    }

    /// What was learned since it was [#settled()].
    Stream<Entry> learned() {
        return since.values().stream().flatMap(Optional::stream);
    }

    int learnedCount() {
        return since.size();
    }

    Entries with(Collection<Entry> read) {
        var more = new HashMap<>(since);
        read.forEach(entry -> more.put(entry.key(), Optional.of(entry)));
        return new Entries(before, more);
    }

    Entries without(CalicoKey key) {
        if (find(key).isEmpty()) {
            return this;
        }
        var more = new HashMap<>(since);
        more.put(key, Optional.empty());
        return new Entries(before, more);
    }

    Entries without(Predicate<CalicoKey> unwanted) {
        var fewer = new HashMap<>(before);
        fewer.keySet().removeIf(unwanted);
        var fewerSince = new HashMap<>(since);
        fewerSince.keySet().removeIf(unwanted);
        return new Entries(fewer, fewerSince);
    }

    /// The same, all of it known before.
    Entries settled() {
        var all = new HashMap<>(before);
        since.forEach(
                (key, learned) ->
                        learned.ifPresentOrElse(
                                entry -> all.put(key, entry), () -> all.remove(key)));
        return new Entries(all, Collections.emptyMap());
    }
}
