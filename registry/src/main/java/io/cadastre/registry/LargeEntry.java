package io.cadastre.registry;

import io.cadastre.datastore.Journal;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;

/// An entry of any size, as one or several that a journal takes. What was done cannot be refused for
/// being too long to record: long texts are cut, and many holdings are recorded in several entries of
/// the same request and revision.
final class LargeEntry {

    /// One entry records at most this many granted and this many returned holdings.
    static final int HOLDINGS_MAX = 1000;

    /// The holdings of one entry, of either kind, take at most this many bytes.
    private static final int HOLDINGS_BYTES_MAX = 256 << 10;

    private static final int TEXT_BYTES_MAX = Journal.NAME_BYTES_MAX;
    private static final int REQUEST_BYTES_MAX = 8 << 10;

    /// An outcome is recorded up to this length. What was given is among the holdings.
    static final int OUTCOME_BYTES_MAX = 64 << 10;

    private static final int REASONS_BYTES_MAX = 128 << 10;

    /// What is written of a holding besides its texts.
    private static final int HOLDING_BYTES = 128;

    private LargeEntry() {}

    /// The same if it fits.
    static List<Ledger.Entry> fitting(Ledger.Entry large) {
        var granted = lots(large.granted());
        var returned = lots(large.returned());
        var because = because(large.because());
        var outcome = outcome(large.outcome());
        var request = BoundedText.of(large.request(), REQUEST_BYTES_MAX);
        var entries = new ArrayList<Ledger.Entry>();
        int count = Math.max(1, Math.max(granted.size(), returned.size()));
        for (int index = 0; index < count; index++) {
            entries.add(new Ledger.Entry(
                    large.at(),
                    request,
                    outcome,
                    large.attempt(),
                    large.revision(),
                    index < granted.size() ? granted.get(index) : List.of(),
                    index < returned.size() ? returned.get(index) : List.of(),
                    index == 0 ? because : List.of()));
        }
        return entries;
    }

    private static List<List<Holding>> lots(List<Holding> holdings) {
        var lots = new ArrayList<List<Holding>>();
        var lot = new ArrayList<Holding>();
        int bytes = 0;
        for (var large : holdings) {
            var holding = fitting(large);
            int own = bytes(holding);
            if (lot.size() == HOLDINGS_MAX || bytes + own > HOLDINGS_BYTES_MAX) {
                lots.add(List.copyOf(lot));
                lot.clear();
                bytes = 0;
            }
            lot.add(holding);
            bytes += own;
        }
        if (!lot.isEmpty()) {
            lots.add(lot);
        }
        return lots;
    }

    private static Holding fitting(Holding large) {
        return new Holding(
                large.range(), large.level(), fitting(large.holder()), large.state(), fitting(large.facts()));
    }

    private static HolderFacts fitting(HolderFacts large) {
        return new HolderFacts(
                fitting(large.namespace()),
                fitting(large.pod()),
                fitting(large.uid()),
                fitting(large.node()),
                fitting(large.networkInterface()),
                fitting(large.handle()));
    }

    private static String fitting(String text) {
        return BoundedText.of(text, TEXT_BYTES_MAX);
    }

    private static int bytes(Holding holding) {
        var facts = holding.facts();
        int characters = holding.holder().length()
                + facts.namespace().length()
                + facts.pod().length()
                + facts.uid().length()
                + facts.node().length()
                + facts.networkInterface().length()
                + facts.handle().length();
        return HOLDING_BYTES + 3 * characters;
    }

    private static Fact outcome(Fact large) {
        return LedgerCodec.bytes(large) <= OUTCOME_BYTES_MAX
                ? large
                : Fact.text(BoundedText.of(large.words(), OUTCOME_BYTES_MAX / 2));
    }

    private static List<Fact> because(List<Fact> large) {
        int bytes = 0;
        int kept = 0;
        for (var reason : large) {
            bytes += LedgerCodec.bytes(reason);
            if (bytes <= REASONS_BYTES_MAX - TEXT_BYTES_MAX) {
                kept++;
            }
        }
        if (bytes <= REASONS_BYTES_MAX) {
            return large;
        }
        var fitting = new ArrayList<>(large.subList(0, kept));
        fitting.add(Fact.text("and %d more reasons".formatted(large.size() - kept)));
        return fitting;
    }
}
