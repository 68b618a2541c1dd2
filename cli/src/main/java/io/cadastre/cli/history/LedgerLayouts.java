package io.cadastre.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Range;
import io.cadastre.cli.command.Layout;
import io.cadastre.cli.command.Layout.Column;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Fact;
import io.cadastre.registry.HoldingPeriod;
import io.cadastre.registry.Ledger.Recorded;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Ledger entries and holdings on the screen.
final class LedgerLayouts {

    static final Layout<Recorded> ENTRIES = new Layout<>(
            List.of(
                    Column.always("NUMBER", one -> Long.toString(one.number())),
                    Column.always("TIME", one -> one.entry().at().toString()),
                    Column.always("REQUEST", one -> one.entry().request()),
                    Column.always("GRANTED", one -> words(one.entry().granted())),
                    Column.always("RETURNED", one -> words(one.entry().returned())),
                    Column.wide("ATTEMPT", one -> Integer.toString(one.entry().attempt())),
                    Column.wide("REVISION", one -> Long.toString(one.entry().revision())),
                    Column.wide("OUTCOME", one -> one.entry().outcome().words()),
                    Column.wide("BECAUSE", one -> reasons(one.entry().because()))),
            one -> "entry/" + one.number(),
            LedgerLayouts::document);

    /// The holders of an address.
    static Layout<HolderRow> holdersOfAddress(Instant now) {
        return rows(now, Column.always("HOLDER", LedgerLayouts::holder), Column.always("NODE", LedgerLayouts::node));
    }

    /// What a node held, and pods on it.
    static Layout<HolderRow> holdingsOfNode(Instant now) {
        return rows(
                now,
                Column.always("RANGE", row -> shortWords(row.holding().range())),
                Column.always("HOLDER", LedgerLayouts::holder));
    }

    /// What a pod held.
    static Layout<HolderRow> holdingsOfPod(Instant now) {
        return rows(
                now,
                Column.always("RANGE", row -> shortWords(row.holding().range())),
                Column.always("NODE", LedgerLayouts::node));
    }

    private static Layout<HolderRow> rows(Instant now, Column<HolderRow> third, Column<HolderRow> fourth) {
        return new Layout<>(
                List.of(
                        Column.always("FROM", row -> row.recorded(period -> words(period.from(), now))),
                        Column.always("UNTIL", row -> row.recorded(period -> until(period, now))),
                        third,
                        fourth,
                        Column.always("WHY", HolderRow::why),
                        Column.wide(
                                "SINCE",
                                row -> row.recorded(period -> period.from().toString())),
                        Column.wide("ENDED", row -> row.recorded(period -> orNone(ended(period)))),
                        Column.wide("HOLDING", row -> words(row.holding().range())),
                        Column.wide("LEVEL", row -> words(row.holding().level())),
                        Column.wide("STATE", row -> words(row.holding().state())),
                        Column.wide("NAME", row -> row.holding().holder()),
                        Column.wide("POD", row -> orNone(pod(row.holding()))),
                        Column.wide("UID", row -> orNone(row.holding().facts().uid())),
                        Column.wide(
                                "INTERFACE", row -> orNone(row.holding().facts().networkInterface())),
                        Column.wide(
                                "HANDLE", row -> orNone(row.holding().facts().handle())),
                        Column.wide("ENTRY", row -> row.recorded(period -> Long.toString(period.number()))),
                        Column.wide("REQUEST", row -> row.recorded(HoldingPeriod::request)),
                        Column.wide("SOURCE", row -> String.join("+", row.sources()))),
                row -> shortWords(row.holding().range()) + " " + row.holding().holder(),
                LedgerLayouts::document);
    }

    /// A time of this year without the year.
    private static String words(Instant time, Instant now) {
        var here = time.atOffset(ZoneOffset.UTC);
        return (here.getYear() == now.atOffset(ZoneOffset.UTC).getYear() ? THIS_YEAR : ANY_YEAR).format(here);
    }

    private static String until(HoldingPeriod period, Instant now) {
        return period.until().map(until -> words(until, now)).orElse("-");
    }

    private static String ended(HoldingPeriod period) {
        return period.until().map(Instant::toString).orElse("");
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static String pod(Holding holding) {
        var facts = holding.facts();
        return facts.pod().isEmpty() ? "" : facts.namespace() + "/" + facts.pod();
    }

    /// The pod, or else whatever the holder is called by.
    private static String holder(HolderRow row) {
        var holding = row.holding();
        if (holding.state() == Holding.State.COOLING) {
            return "(rests)";
        }
        if (!pod(holding).isEmpty()) {
            return pod(holding);
        }
        return switch (holding.level()) {
            case POOL -> holding.holder();
            case NODE -> words(holding.range());
            case ENDPOINT ->
                holding.facts().handle().isEmpty()
                        ? holding.holder()
                        : holding.facts().handle();
        };
    }

    /// The node; old entries have it in the holder's name alone.
    private static String node(HolderRow row) {
        var holding = row.holding();
        if (!holding.facts().node().isEmpty()) {
            return holding.facts().node();
        }
        return holding.level() == Holding.Level.NODE ? holding.holder().replaceFirst("^(node/|host:)", "") : "-";
    }

    private static JsonNode document(HolderRow row) {
        var document = JsonNodeFactory.instance.objectNode().put("kind", "Tenure");
        var period = row.period();
        if (period != null) {
            document.put("from", period.from().toString());
            var end = period.end();
            if (end != null) {
                document.put("until", end.at().toString()).put("endRecorded", end.seen());
            }
        }
        document.set("holding", document(row.holding()));
        row.sources().forEach(document.putArray("sources")::add);
        if (period != null) {
            document.put("entry", period.number())
                    .put("request", period.request())
                    .put("why", period.why().words());
        }
        return document;
    }

    private static final DateTimeFormatter THIS_YEAR = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss", Locale.ROOT);

    private static final DateTimeFormatter ANY_YEAR = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private LedgerLayouts() {}

    private static String shortWords(Range range) {
        return range.first().equals(range.last()) ? range.first().toString() : words(range);
    }

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
                : holdings.stream().map(holding -> words(holding.range())).collect(Collectors.joining(","));
    }

    private static String reasons(List<Fact> because) {
        return because.stream().map(Fact::words).collect(Collectors.joining("; "));
    }

    private static JsonNode document(Recorded recorded) {
        var entry = recorded.entry();
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "LedgerEntry")
                .put("number", recorded.number())
                .put("at", entry.at().toString())
                .put("request", entry.request())
                .put("outcome", entry.outcome().words())
                .put("attempt", entry.attempt())
                .put("revision", entry.revision());
        document.set("granted", documents(entry.granted()));
        document.set("returned", documents(entry.returned()));
        var because = document.putArray("because");
        entry.because().forEach(reason -> because.add(reason.words()));
        document.set("outcomeFacts", document(entry.outcome()));
        document.set("becauseFacts", document(new Fact.Several(entry.because())));
        return document;
    }

    private static ArrayNode documents(List<Holding> holdings) {
        var documents = JsonNodeFactory.instance.arrayNode();
        holdings.forEach(holding -> documents.add(document(holding)));
        return documents;
    }

    private static JsonNode document(Holding holding) {
        var document = JsonNodeFactory.instance
                .objectNode()
                .put("kind", "Holding")
                .put("range", words(holding.range()))
                .put("level", words(holding.level()))
                .put("holder", holding.holder())
                .put("state", words(holding.state()));
        var facts = holding.facts();
        put(document, "namespace", facts.namespace());
        put(document, "pod", facts.pod());
        put(document, "uid", facts.uid());
        put(document, "node", facts.node());
        put(document, "interface", facts.networkInterface());
        put(document, "handle", facts.handle());
        return document;
    }

    private static void put(ObjectNode document, String name, String value) {
        if (!value.isEmpty()) {
            document.put(name, value);
        }
    }

    /// A reason as its sentence and, where it has them, its rule and values.
    private static JsonNode document(Fact fact) {
        return switch (fact) {
            case Fact.Text(var text) -> JsonNodeFactory.instance.textNode(text);
            case Fact.Several(var facts) -> {
                var documents = JsonNodeFactory.instance.arrayNode();
                facts.forEach(one -> documents.add(document(one)));
                yield documents;
            }
            case Fact.Ruled(var rule, var values) -> {
                var document = JsonNodeFactory.instance.objectNode();
                if (!rule.isEmpty()) {
                    document.put("rule", rule);
                }
                values.forEach((name, value) -> document.set(name.equals("rule") ? "verdict" : name, document(value)));
                yield document;
            }
        };
    }
}
