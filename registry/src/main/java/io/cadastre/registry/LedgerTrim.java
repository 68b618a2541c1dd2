package io.cadastre.registry;

import io.cadastre.datastore.Journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds where a ledger can be cut, and what was held there.
final class LedgerTrim {

    /// An entry that was appended by this many entries too late still belongs to what is cut off.
    private static final int LATE_MAX = 10_000;

    /// What an index keeps of a span, about.
    private static final int SPAN_BYTES = 48;

    private static final int NAME_BYTES = 12;

    private final Ledger.Retention retention;
    private final List<Long> numbers = new ArrayList<>();
    private final List<Long> revisions = new ArrayList<>();
    private final List<Long> bytes = new ArrayList<>();
    private final List<Instant> times = new ArrayList<>();

    /// How many entries an earlier cut has, which go together or stay.
    private int cutEntries;

    LedgerTrim(Ledger.Retention retention) {
        this.retention = retention;
    }

    /// What can be cut off, if anything.
    Optional<Ledger.Trim> plan(Journal.Look look) {
        look.scan(this::measure);
        int count = settled(wanted());
        if (count <= cutEntries) {
            return Optional.empty();
        }
        long last = numbers.get(count - 1);
        var periods = new HoldingPeriods(Ledger.Writers.OTHERS_TOO, _ -> {});
        var order = new CommitOrder(periods::add);
        var hash = new byte[1][];
        look.scan(
                filed -> {
                    var entry = filed.entry();
                    if (entry != null && filed.number() <= last) {
                        order.add(Ledger.recorded(entry));
                        hash[0] = LedgerCodec.chained(entry);
                    }
                });
        order.end();
        var at = times.subList(0, count).stream().max(Instant::compareTo).orElseThrow();
        var trim =
                new Ledger.Trim(
                        numbers.getFirst(),
                        last,
                        numbers.size() - count,
                        bytes.subList(0, count).stream().mapToLong(Long::longValue).sum(),
                        at,
                        revisions.subList(0, count).stream()
                                .mapToLong(Long::longValue)
                                .max()
                                .orElseThrow(),
                        List.copyOf(periods.open()),
                        LedgerCodec.hexadecimal(hash[0]));
        // A cut that takes as many entries as it cuts off is none.
        return LedgerCut.parts(trim.open().size()) < count ? Optional.of(trim) : Optional.empty();
    }

    private void measure(Journal.Filed filed) {
        var record = filed.entry();
        if (record == null) {
            return;
        }
        numbers.add(filed.number());
        times.add(record.at());
        var entry = Ledger.recorded(record).entry();
        revisions.add(entry.revision());
        if (LedgerCut.is(entry)) {
            cutEntries++;
        }
        bytes.add(
                record.content().size()
                        + filed.names().stream().mapToLong(name -> name.length() + NAME_BYTES).sum()
                        + (long) SPAN_BYTES * filed.spans().size());
    }

    /// How many of the oldest entries are to go.
    private int wanted() {
        int count = 0;
        switch (retention) {
            case Ledger.Retention.NotBefore(var start) -> {
                while (count < times.size() && times.get(count).isBefore(start)) {
                    count++;
                }
            }
            case Ledger.Retention.Within(long max) -> {
                long total = bytes.stream().mapToLong(Long::longValue).sum();
                while (count < bytes.size() && total > max) {
                    total -= bytes.get(count);
                    count++;
                }
            }
        }
        return count;
    }

    /// That many or fewer, such that no entry that stays tells of an earlier commit than one that goes.
    private int settled(int wanted) {
        var greatest = new long[wanted + 1];
        for (int index = 0; index < wanted; index++) {
            greatest[index + 1] = Math.max(greatest[index], revisions.get(index));
        }
        int count = wanted;
        while (count > 0 && leastAfter(count) < greatest[count]) {
            count--;
        }
        return count;
    }

    private long leastAfter(int count) {
        return revisions.subList(count, Math.min(revisions.size(), count + LATE_MAX)).stream()
                .mapToLong(Long::longValue)
                .filter(revision -> revision > 0)
                .min()
                .orElse(Long.MAX_VALUE);
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
        return Optional.of(
                new Journal.Cut(trim.last(), instead, List.of(LedgerCut.draft(told, content))));
    }
}
