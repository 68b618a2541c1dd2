package io.cadastre.registry;

import io.cadastre.datastore.Journal;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Passes all that a journal keeps of a ledger and finds what is not as it was written.
final class LedgerAudit {

    private final HoldingPeriods periods;
    private final CommitOrder order;

    private long expected = 1;
    private long count;
    private byte[] hash = LedgerCodec.genesis();

    /// What the ledger begins with, if entries were cut off.
    private @Nullable LedgerCut cut;

    /// The hash of its last entry.
    private byte[] cutHash = LedgerCodec.genesis();

    private boolean cutTold;

    LedgerAudit(Ledger.Writers writers) {
        periods = new HoldingPeriods(writers, _ -> {});
        order = new CommitOrder(periods::add);
    }

    /// @throws LedgerException at the first thing that is not sound
    void next(Journal.Filed filed) {
        var entry = filed.entry();
        if (entry == null) {
            throw new LedgerException(filed.number(), "names or ranges are filed for it, and it is missing");
        }
        if (count == 0) {
            begin(entry);
        }
        if (filed.number() != expected) {
            throw new LedgerException(expected, "it is missing; the next one is %d".formatted(filed.number()));
        }
        var decoded = LedgerCodec.verified(expected, entry.content(), hash);
        checkFiling(decoded, filed);
        order.add(new Ledger.Recorded(expected, decoded.entry()));
        hash = LedgerCodec.hash(entry.content());
        if (decoded.cut() || (cut != null && expected <= cut.last())) {
            passCut(entry, decoded);
        } else if (cut != null && LedgerCut.tells(decoded.entry(), cut.last(), cutHash)) {
            cutTold = true;
        }
        expected++;
        count++;
    }

    /// A ledger whose first entries were cut off begins with what stands for them.
    private void begin(Journal.Entry entry) {
        LedgerCodec.Decoded decoded;
        try {
            decoded = LedgerCodec.decode(entry.number(), entry.content());
        } catch (LedgerException unreadable) {
            // What is wrong with it shows when its hash is checked.
            return;
        }
        if (decoded.cut()) {
            cut = LedgerCut.of(entry.number(), decoded.entry());
            hash = LedgerCodec.bytes(entry.number(), cut.hash());
            expected = entry.number();
        }
    }

    private void passCut(Journal.Entry entry, LedgerCodec.Decoded decoded) {
        long number = entry.number();
        var own = LedgerCut.of(number, decoded.entry());
        boolean fits = cut != null
                && decoded.cut()
                && own.number() == number
                && own.part() == count
                && own.last() == cut.last()
                && own.parts() == cut.parts()
                && own.hash().equals(cut.hash());
        if (!fits) {
            throw new LedgerException(number, "it is not part of the cut that it stands in");
        }
        if (own.isLast()) {
            cutHash = hash;
            // The entries that stay were chained to the last of those that went.
            hash = LedgerCodec.bytes(number, own.hash());
        }
    }

    Ledger.Verification end() {
        if (cut != null && !cutTold) {
            throw new LedgerException(cut.last(), "entries up to it were cut off, and no later entry tells of it");
        }
        order.end();
        var head = LedgerCodec.hexadecimal(hash);
        return periods.doubled().isEmpty()
                ? new Ledger.Verification.Sound(count, head)
                : new Ledger.Verification.Doubled(count, head, periods.doubled());
    }

    private static void checkFiling(LedgerCodec.Decoded decoded, Journal.Filed filed) {
        var told = decoded.entry();
        var entry = filed.entry();
        if (entry != null && !told.at().equals(entry.at())) {
            throw new LedgerException(filed.number(), "its time is filed as %s".formatted(entry.at()));
        }
        checkSame(filed.number(), "name", EntryIndex.names(decoded.format(), told), filed.names());
        checkSame(filed.number(), "range", EntryIndex.spans(told), filed.spans());
    }

    private static <T> void checkSame(long number, String what, List<T> told, List<T> filed) {
        var among = new HashSet<>(filed);
        for (var one : told) {
            if (!among.remove(one)) {
                throw new LedgerException(number, "it is not filed under a %s that it tells of".formatted(what));
            }
        }
        if (!among.isEmpty()) {
            throw new LedgerException(number, "it is filed under a %s that it does not tell of".formatted(what));
        }
    }
}
