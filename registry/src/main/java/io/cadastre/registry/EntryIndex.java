package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Under which names and spans an entry is found again.
final class EntryIndex {

    private EntryIndex() {}

    /// Every holder by its own name; in later formats also by its node and its pod.
    static List<String> names(int format, Ledger.Entry entry) {
        var names = new LinkedHashSet<String>();
        entry.holdings().forEach(holding -> {
            names.add(name(holding.holder()));
            if (format > 1) {
                addFacts(holding, names);
            }
        });
        return List.copyOf(names);
    }

    private static void addFacts(Holding holding, Set<String> names) {
        var facts = holding.facts();
        if (!facts.node().isEmpty()) {
            names.add(node(facts.node()));
        }
        if (!facts.pod().isEmpty()) {
            names.add(pod(facts.namespace(), facts.pod()));
        }
    }

    static String node(String name) {
        return name("node/" + name);
    }

    static String pod(String namespace, String name) {
        return name("pod/%s/%s".formatted(namespace, name));
    }

    /// The name as journals take it.
    static String name(String text) {
        return text.isEmpty() ? "-" : BoundedText.of(text, Journal.NAME_BYTES_MAX);
    }

    static List<Journal.Span> spans(Ledger.Entry entry) {
        return entry.holdings()
                .map(Holding::range)
                .distinct()
                .map(EntryIndex::span)
                .toList();
    }

    static Journal.Span span(Range range) {
        return new Journal.Span(place(range.first()), place(range.last()));
    }

    /// An address as 17 bytes whose order is the order of addresses.
    private static Bytes place(Address address) {
        var bytes = ByteBuffer.allocate(1 + 2 * Long.BYTES);
        bytes.put(LedgerCodec.mark(address.family()));
        bytes.putLong(address.high());
        bytes.putLong(address.low());
        return Bytes.of(bytes.array());
    }
}
