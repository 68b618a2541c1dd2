package io.cadastre.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.cadastre.address.Range;
import io.cadastre.cli.Layout.Column;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Ledger.Recorded;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Ledger entries and holdings on the screen.
final class LedgerLayouts {

    static final Layout<Recorded> ENTRIES =
            new Layout<>(
                    List.of(
                            Column.always("NUMBER", one -> Long.toString(one.number())),
                            Column.always("TIME", one -> one.entry().at().toString()),
                            Column.always("REQUEST", one -> one.entry().request()),
                            Column.always("GRANTED", one -> words(one.entry().granted())),
                            Column.always("RETURNED", one -> words(one.entry().returned())),
                            Column.wide("ATTEMPT", one -> Integer.toString(one.entry().attempt())),
                            Column.wide("REVISION", one -> Long.toString(one.entry().revision())),
                            Column.wide("OUTCOME", one -> one.entry().outcome()),
                            Column.wide(
                                    "BECAUSE", one -> String.join("; ", one.entry().because()))),
                    one -> "entry/" + one.number(),
                    LedgerLayouts::document);

    static final Layout<Holding> HOLDINGS =
            new Layout<>(
                    List.of(
                            Column.always("RANGE", holding -> words(holding.range())),
                            Column.always("LEVEL", holding -> words(holding.level())),
                            Column.always("HOLDER", Holding::holder),
                            Column.always("STATE", holding -> words(holding.state()))),
                    Holding::holder,
                    LedgerLayouts::document);

    private LedgerLayouts() {}

    /// A range as the CIDR it is, if it is one.
    private static String words(Range range) {
        var prefixes = range.prefixes();
        return prefixes.size() == 1 ? prefixes.getFirst().toString() : range.toString();
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String words(List<Holding> holdings) {
        return holdings.isEmpty()
                ? "-"
                : holdings.stream()
                        .map(holding -> words(holding.range()))
                        .collect(Collectors.joining(","));
    }

    private static JsonNode document(Recorded recorded) {
        var entry = recorded.entry();
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "LedgerEntry")
                .put("number", recorded.number())
                .put("at", entry.at().toString())
                .put("request", entry.request())
                .put("outcome", entry.outcome())
                .put("attempt", entry.attempt())
                .put("revision", entry.revision());
        document.set("granted", documents(entry.granted()));
        document.set("returned", documents(entry.returned()));
        entry.because().forEach(document.putArray("because")::add);
        return document;
    }

    private static ArrayNode documents(List<Holding> holdings) {
        var documents = JsonNodeFactory.instance.arrayNode();
        holdings.forEach(holding -> documents.add(document(holding)));
        return documents;
    }

    private static JsonNode document(Holding holding) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "Holding")
                .put("range", words(holding.range()))
                .put("level", words(holding.level()))
                .put("holder", holding.holder())
                .put("state", words(holding.state()));
    }
}
