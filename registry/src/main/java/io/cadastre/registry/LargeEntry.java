package io.cadastre.registry;

import io.cadastre.engine.Holding;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What the ledger is to tell of one commit, however much that is: one entry, or several of the same
/// request and revision where one would be too long to be kept.
record LargeEntry(
        Instant at,
        String request,
        String outcome,
        int attempt,
        long revision,
        List<Holding> granted,
        List<Holding> returned,
        List<String> because) {

    /// So many holdings are told in one entry, of those that are granted and of those that are returned.
    static final int HOLDINGS_MAX = 1000;

    /// An outcome is told up to here. What was given is among the holdings.
    static final int OUTCOME_CHARACTERS_MAX = 100_000;

    List<Ledger.Entry> entries() {
        var entries = new ArrayList<Ledger.Entry>();
        int count =
                Math.max(1, Math.ceilDiv(Math.max(granted.size(), returned.size()), HOLDINGS_MAX));
        for (int index = 0; index < count; index++) {
            entries.add(
                    new Ledger.Entry(
                            at,
                            request,
                            shortened(outcome),
                            attempt,
                            revision,
                            lot(granted, index),
                            lot(returned, index),
                            index == 0 ? because : List.of()));
        }
        return entries;
    }

    private static List<Holding> lot(List<Holding> holdings, int index) {
        int from = Math.min(holdings.size(), index * HOLDINGS_MAX);
        return holdings.subList(from, Math.min(holdings.size(), from + HOLDINGS_MAX));
    }

    private static String shortened(String text) {
        return text.length() <= OUTCOME_CHARACTERS_MAX
                ? text
                : text.substring(0, OUTCOME_CHARACTERS_MAX) + "…";
    }
}
