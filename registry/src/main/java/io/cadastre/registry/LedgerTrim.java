package io.cadastre.registry;

import io.cadastre.datastore.Journal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds where a ledger can be cut, and what was held there.
///
/// It reads the ledger two or three times and keeps a bounded number of entries, so that a process with
/// little memory can trim a ledger of any length. What grows is what is held at the cut.
final class LedgerTrim {

    /// An entry that was appended by this many entries too late still belongs to what is cut off.
    private static final int LATE_MAX = 10_000;

    /// What an index keeps of a span, about.
    private static final int SPAN_BYTES = 48;

    private static final int NAME_BYTES = 12;

    private final Ledger.Retention retention;

    /// Where a cut may go, as far as the entries read so far show, except for those that are settled.
    /// No more than [#LATE_MAX], and their revisions ascend.
    private final ArrayDeque<OldestEntries> candidates = new ArrayDeque<>();

    /// The longest of which it is known.
    private OldestEntries settled = OldestEntries.NONE;

    /// All that was read, while more of it is to go.
    private OldestEntries read = OldestEntries.NONE;

    private boolean more = true;
    private long first;
    private long count;

    /// How many entries an earlier cut has, which go together or stay.
    private int cutEntries;

    /// The bytes of all entries, where these are bounded.
    private long bytesAll;

    /// The oldest entries.
    ///
    /// @param last the number of the last one
    /// @param bytes about how many they take
    /// @param at the latest time
    /// @param revision the greatest one
    private record OldestEntries(long count, long last, long bytes, Instant at, long revision) {

        static final OldestEntries NONE = new OldestEntries(0, 0, 0, Instant.MIN, 0);

        OldestEntries with(Journal.Entry record, long moreBytes, long other) {
            return new OldestEntries(
                    count + 1,
                    record.number(),
                    bytes + moreBytes,
                    at.isAfter(record.at()) ? at : record.at(),
                    Math.max(revision, other));
        }
    }

    LedgerTrim(Ledger.Retention retention) {
        this.retention = retention;
    }

    /// What can be cut off, if anything.
    Optional<Ledger.Trim> plan(Journal.Look look) {
        if (retention instanceof Ledger.Retention.Within) {
            look.scan(filed -> bytesAll += bytes(filed));
        }
        look.scan(this::measure);
        var going = candidates.isEmpty() ? settled : candidates.getLast();
        if (going.count() <= cutEntries) {
            return Optional.empty();
        }
        var periods = new HoldingPeriods(Ledger.Writers.OTHERS_TOO, _ -> {});
        var order = new CommitOrder(periods::add);
        var hash = new byte[1][];
        look.scan(filed -> {
            var entry = filed.entry();
            if (entry != null && filed.number() <= going.last()) {
                order.add(Ledger.recorded(entry));
                hash[0] = LedgerCodec.chained(entry);
            }
        });
        order.end();
        var trim = new Ledger.Trim(
                first,
                going.last(),
                count - going.count(),
                going.bytes(),
                going.at(),
                going.revision(),
                periods.open(),
                LedgerCodec.hexadecimal(hash[0]));
        // A cut that takes as many entries as it cuts off is useless.
        return LedgerCut.parts(trim.open().size()) < going.count() ? Optional.of(trim) : Optional.empty();
    }

    /// No entry that stays may record an earlier commit than one that goes. So each entry rules out the
    /// places after a later commit, unless [#LATE_MAX] entries lie between; those are settled.
    private void measure(Journal.Filed filed) {
        var record = filed.entry();
        if (record == null) {
            return;
        }
        count++;
        if (count == 1) {
            first = record.number();
        }
        while (!candidates.isEmpty() && candidates.getFirst().count() + LATE_MAX < count) {
            settled = candidates.removeFirst();
        }
        more = more && isToGo(record);
        if (!more && candidates.isEmpty()) {
            return;
        }
        var entry = Ledger.recorded(record).entry();
        if (entry.revision() > 0) {
            while (!candidates.isEmpty() && candidates.getLast().revision() > entry.revision()) {
                candidates.removeLast();
            }
        }
        if (LedgerCut.is(entry)) {
            cutEntries++;
        }
        if (more) {
            read = read.with(record, bytes(filed), entry.revision());
            candidates.add(read);
        }
    }

    private boolean isToGo(Journal.Entry record) {
        return switch (retention) {
            case Ledger.Retention.NotBefore(var start) -> record.at().isBefore(start);
            case Ledger.Retention.Within(long max) -> bytesAll - read.bytes() > max;
        };
    }

    private static long bytes(Journal.Filed filed) {
        var record = filed.entry();
        return record == null
                ? 0
                : record.content().size()
                        + filed.names().stream()
                                .mapToLong(name -> name.length() + NAME_BYTES)
                                .sum()
                        + (long) SPAN_BYTES * filed.spans().size();
    }

    /// Cuts off what was planned, unless the ledger is another one by now.
    static Optional<Journal.Cut> cut(Journal.Look look, Ledger.Trim trim, Instant now) {
        var everything = new Journal.Query.Between(Instant.MIN, Instant.MAX);
        var before = look.findBack(everything, trim.last(), 1);
        if (before.isEmpty()
                || before.getFirst().number() != trim.last()
                || !LedgerCodec.hexadecimal(LedgerCodec.chained(before.getFirst()))
                        .equals(trim.hash())) {
            throw new LedgerException(trim.last(), "another process has cut it off meanwhile");
        }
        var last = look.findBack(everything, Long.MAX_VALUE, 1).getFirst();
        byte[] hash = LedgerCodec.chained(before.getFirst());
        var instead = new ArrayList<Journal.Draft>();
        for (var entry : LedgerCut.entries(trim, hash)) {
            var content = LedgerCodec.encodeCut(LedgerCut.of(0, entry).number(), entry, hash);
            hash = LedgerCodec.hash(content);
            instead.add(LedgerCut.draft(entry, content));
        }
        var told = LedgerCut.trimmed(now, trim.last(), hash);
        var content = LedgerCodec.encode(last.number() + 1, told, LedgerCodec.chained(last));
        return Optional.of(new Journal.Cut(trim.last(), instead, List.of(LedgerCut.draft(told, content))));
    }
}
