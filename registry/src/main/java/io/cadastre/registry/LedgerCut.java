package io.cadastre.registry;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What stands in a ledger in the place of its oldest entries: how far they went, the hash of the last of
/// them, and what was held then, as entries of a kind of their own.
///
/// They are chained to the last entry that was cut off, and the entry after it goes on from that one's
/// hash; so the hash of any later entry is what it was. A later entry records the cut and its hash,
/// which makes the cut a part of the chain too.
///
/// @param last the number of the last entry that was cut off
/// @param hash its hash, in hexadecimal
/// @param part which entry of the cut this is, from zero
/// @param parts how many there are
record LedgerCut(long last, String hash, int part, int parts) {

    private static final String RULE = "ledger.Cut";
    private static final String OPEN = "ledger.Open";
    private static final String TRIMMED = "ledger.Trimmed";

    /// The holdings of one entry of a cut.
    private static final int HOLDINGS_MAX = 200;

    private static final int TEXT_BYTES_MAX = 1024;

    long number() {
        return last - parts + 1 + part;
    }

    boolean isLast() {
        return part == parts - 1;
    }

    /// What an entry of a cut says of it.
    ///
    /// @throws LedgerException if it says nothing that makes sense
    static LedgerCut of(long number, Ledger.Entry entry) {
        if (entry.outcome() instanceof Fact.Ruled(var rule, var values) && rule.equals(RULE)) {
            try {
                return new LedgerCut(
                        Long.parseLong(word(values, "last")),
                        word(values, "hash"),
                        Integer.parseInt(word(values, "part")),
                        Integer.parseInt(word(values, "parts")));
            } catch (NumberFormatException damaged) {
                throw new LedgerException(number, "its bytes are damaged");
            }
        }
        throw new LedgerException(number, "it does not say what was cut off");
    }

    private static String word(Map<String, Fact> values, String name) {
        return Optional.ofNullable(values.get(name)).map(Fact::words).orElse("");
    }

    /// The entries of a cut. They have the greatest revision of the entries that are cut off, so that
    /// the ledger still shows how far its store had come. Those that earlier versions wrote have zero.
    static List<Ledger.Entry> entries(Ledger.Trim trim, byte[] hash) {
        var open = trim.open();
        int parts = parts(open.size());
        var entries = new ArrayList<Ledger.Entry>();
        for (int part = 0; part < parts; part++) {
            var lot = open.subList(part * HOLDINGS_MAX, Math.min(open.size(), (part + 1) * HOLDINGS_MAX));
            entries.add(new Ledger.Entry(
                    trim.at(),
                    "ledger trim",
                    new LedgerCut(trim.last(), LedgerCodec.hexadecimal(hash), part, parts).fact(),
                    1,
                    trim.revision(),
                    lot.stream().map(HoldingPeriod::holding).toList(),
                    List.of(),
                    lot.stream().map(LedgerCut::fact).toList()));
        }
        return entries;
    }

    /// How many entries a cut has.
    static int parts(int open) {
        return Math.max(1, Math.ceilDiv(open, HOLDINGS_MAX));
    }

    private Fact fact() {
        var values = new LinkedHashMap<String, Fact>();
        values.put("last", Fact.text(Long.toString(last)));
        values.put("hash", Fact.text(hash));
        values.put("part", Fact.text(Integer.toString(part)));
        values.put("parts", Fact.text(Integer.toString(parts)));
        return new Fact.Ruled(RULE, values);
    }

    private static Fact fact(HoldingPeriod open) {
        var values = new LinkedHashMap<String, Fact>();
        values.put("from", Fact.text(open.from().toString()));
        values.put("entry", Fact.text(Long.toString(open.number())));
        values.put("request", Fact.text(BoundedText.of(open.request(), TEXT_BYTES_MAX)));
        values.put(
                "why",
                LedgerCodec.bytes(open.why()) <= TEXT_BYTES_MAX
                        ? open.why()
                        : Fact.text(BoundedText.of(open.why().words(), TEXT_BYTES_MAX)));
        return new Fact.Ruled(OPEN, values);
    }

    /// The period of a holding that an entry of a cut carries on.
    static Optional<HoldingPeriod> carried(Ledger.Entry entry, int index) {
        var holding = entry.granted().get(index);
        if (entry.outcome() instanceof Fact.Ruled(var cut, var _)
                && cut.equals(RULE)
                && entry.because().get(index) instanceof Fact.Ruled(var _, var values)) {
            return Optional.of(period(holding, values));
        }
        return Optional.empty();
    }

    private static HoldingPeriod period(Holding holding, Map<String, Fact> values) {
        return new HoldingPeriod(
                holding,
                Instant.parse(word(values, "from")),
                Long.parseLong(word(values, "entry")),
                word(values, "request"),
                Optional.ofNullable(values.get("why")).orElse(Fact.text("")),
                null);
    }

    static boolean is(Ledger.Entry entry) {
        return entry.outcome() instanceof Fact.Ruled(var rule, var _) && rule.equals(RULE);
    }

    /// What a later entry records of a cut.
    ///
    /// @param cut the hash of its last entry
    static Ledger.Entry trimmed(Instant at, long last, byte[] cut) {
        var values = new LinkedHashMap<String, Fact>();
        values.put("last", Fact.text(Long.toString(last)));
        values.put("cut", Fact.text(LedgerCodec.hexadecimal(cut)));
        return new Ledger.Entry(
                at,
                "ledger trim",
                new Fact.Ruled(TRIMMED, values),
                1,
                0,
                List.of(),
                List.of(),
                List.of(Fact.text("cut off the entries up to %d".formatted(last))));
    }

    /// Whether an entry records this cut.
    static boolean tells(Ledger.Entry entry, long last, byte[] cut) {
        return entry.outcome().equals(trimmed(entry.at(), last, cut).outcome());
    }

    static Journal.Draft draft(Ledger.Entry entry, Bytes content) {
        return new Journal.Draft(
                entry.at(), content, EntryIndex.names(LedgerCodec.FORMAT, entry), EntryIndex.spans(entry));
    }
}
