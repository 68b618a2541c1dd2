package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The append-only history of decisions, with their reasons.
///
/// Each entry carries the hash of itself and of the entry before it, so that a byte changed anywhere
/// shows ([#verify()]). The chain cannot show that the newest entries were cut off; to detect that,
/// keep the hash of the last entry elsewhere and compare.
///
/// An entry is written with the commit it records where the store keeps the ledger too, and after it
/// elsewhere: there a process that dies in between leaves a commit without an entry. The entry's
/// revision identifies its commit and gives the order of commits.
public final class Ledger implements Recorder {

    /// How many entries of one range are read on either side of a time to find its holder.
    private static final int WINDOW = 32;

    /// How many of the last entries are read to find the newest revision.
    private static final int PAGE = 100;

    private final Journal journal;
    private final long revisionsBefore;

    public Ledger(Journal journal) {
        this(journal, 0);
    }

    /// The ledger of a store that had come further before it was put back from a backup.
    ///
    /// @param revisionsBefore is added to the revisions of what is appended, so that they go on where they
    ///     were
    public Ledger(Journal journal, long revisionsBefore) {
        this.journal = journal;
        this.revisionsBefore = revisionsBefore;
    }

    /// One decision that was enacted.
    ///
    /// @param request what was asked
    /// @param outcome what came of it
    /// @param attempt how many times it had to be decided
    /// @param revision the revision of the store after it; zero if it changed nothing
    /// @param granted the holdings that it grants
    /// @param returned the holdings that it takes away
    public record Entry(
            Instant at,
            String request,
            Fact outcome,
            int attempt,
            long revision,
            List<Holding> granted,
            List<Holding> returned,
            List<Fact> because) {

        public Entry {
            granted = List.copyOf(granted);
            returned = List.copyOf(returned);
            because = List.copyOf(because);
        }

        /// This entry of a commit that came to be at this revision.
        Entry at(long newRevision) {
            return new Entry(at, request, outcome, attempt, newRevision, granted, returned, because);
        }

        Stream<Holding> holdings() {
            return Stream.concat(granted.stream(), returned.stream());
        }
    }

    /// An entry with its place in the ledger.
    public record Recorded(long number, Entry entry) {}

    /// Which commits the ledger records.
    public enum Writers {
        /// All: the store and the ledger have the same writers.
        ALL_RECORDED,
        /// Those of one process or machine. Others write to the store and not to this ledger.
        OTHERS_TOO
    }

    /// Whether the ledger is as it was written.
    public sealed interface Verification {

        /// Every entry is sound.
        ///
        /// @param head the hash of the last entry, in hexadecimal; zeros for an empty ledger
        record Sound(long entries, String head) implements Verification {}

        /// Every entry is sound, and by their account two hold the same.
        record Doubled(long entries, String head, List<DoubleHolding> doubled) implements Verification {
            public Doubled {
                doubled = List.copyOf(doubled);
            }
        }

        /// The first entry that is not as it was written.
        record Broken(long number, String reason) implements Verification {}
    }

    /// Appends entries, durably and all or none. An entry that is too large for one record becomes
    /// several.
    @Override
    public void append(List<Entry> entries) {
        var fitting = fitting(later(entries));
        // More than a journal takes at once never come from one commit, and are appended one after
        // another.
        for (int from = 0; from < fitting.size(); from += Journal.DRAFTS_MAX) {
            appendFitting(fitting.subList(from, Math.min(fitting.size(), from + Journal.DRAFTS_MAX)));
        }
    }

    private List<Entry> later(List<Entry> entries) {
        return revisionsBefore == 0
                ? entries
                : entries.stream()
                        .map(entry -> entry.revision() == 0 ? entry : entry.at(entry.revision() + revisionsBefore))
                        .toList();
    }

    private static List<Entry> fitting(List<Entry> entries) {
        return entries.stream()
                .flatMap(entry -> LargeEntry.fitting(entry).stream())
                .toList();
    }

    private void appendFitting(List<Entry> entries) {
        journal.append(last -> drafts(last, entries));
    }

    @Override
    public Optional<Commit> commit(Datastore store, List<Write> writes, Supplier<List<Entry>> entries) {
        if (!store.journal().equals(Optional.of(journal))) {
            return Optional.empty();
        }
        var told = fitting(entries.get());
        return Optional.of(store.commit(
                writes,
                (revision, last) -> drafts(
                        last, told.stream().map(entry -> entry.at(revision)).toList())));
    }

    private static List<Journal.Draft> drafts(Optional<Journal.Entry> last, List<Entry> entries) {
        var drafts = new ArrayList<Journal.Draft>();
        long number = last.map(Journal.Entry::number).orElse(0L);
        byte[] hash = last.map(before -> LedgerCodec.hash(before.content())).orElseGet(LedgerCodec::genesis);
        for (var entry : entries) {
            number++;
            var content = LedgerCodec.encode(number, entry, hash);
            hash = LedgerCodec.hash(content);
            drafts.add(new Journal.Draft(
                    entry.at(), content, EntryIndex.names(LedgerCodec.FORMAT, entry), EntryIndex.spans(entry)));
        }
        return drafts;
    }

    /// The newest revision that an entry records, zero if none does. The first writer to commit need
    /// not be the first to append, so all entries are read.
    public long newestRevision() {
        var revisions = new LongSummaryStatistics();
        each(this::read, recorded -> revisions.accept(recorded.entry().revision()));
        return Math.max(0, revisions.getMax());
    }

    /// The newest revision that the last entries record, zero if no entry does. Entries are out of
    /// order by less than a page, so reading stops at the first page, from the end, that has a
    /// revision.
    public long lastRevision() {
        long last = journal.look(look -> look.lastNumber());
        long newest = 0;
        // Ends: each page lies before the one after it.
        for (long from = last - PAGE + 1; newest == 0 && from > -PAGE; from -= PAGE) {
            for (var recorded : read(Math.max(1, from), Journal.PAGE_RECORDS_MAX)) {
                newest = Math.max(newest, recorded.entry().revision());
            }
        }
        return newest;
    }

    @Override
    public void appendUnlessThere(List<Entry> entries) {
        if (!entries.isEmpty() && !there(fitting(later(entries)))) {
            append(entries);
        }
    }

    /// Entries are appended all or none, so they stand side by side.
    private boolean there(List<Entry> entries) {
        var instant = entries.getFirst().at();
        var found = new ArrayList<Entry>();
        each(
                (from, limit) -> between(instant, instant.plusNanos(1), from, limit),
                recorded -> found.add(recorded.entry()));
        return Collections.indexOfSubList(found, entries) >= 0;
    }

    /// Entries from this number on, in order.
    public List<Recorded> read(long from, int limit) {
        return journal.read(from, limit).stream().map(Ledger::recorded).toList();
    }

    /// Entries that granted or returned anything in the range.
    public List<Recorded> touching(Range range, long from, int limit) {
        return find(
                new Journal.Query.Overlapping(EntryIndex.span(range)),
                from,
                limit,
                entry -> entry.holdings().anyMatch(holding -> holding.range().overlaps(range)));
    }

    /// Entries that granted something to the holder or took it back.
    public List<Recorded> of(String holder, long from, int limit) {
        return named(holder, holding -> holding.holder().equals(holder), from, limit);
    }

    /// Entries that granted something to the node or took it back, or to a pod on it.
    public List<Recorded> ofNode(String node, long from, int limit) {
        return merged(
                named("node/" + node, holding -> isOfNode(holding, node), from, limit),
                named("host:" + node, holding -> isOfNode(holding, node), from, limit),
                limit);
    }

    /// Entries that granted something to a pod of this name or took it back.
    public List<Recorded> ofPod(String namespace, String name, long from, int limit) {
        return named(EntryIndex.pod(namespace, name), holding -> isOfPod(holding, namespace, name), from, limit);
    }

    /// Whether a holding is the node's or that of a pod on it. Old entries know of a node only how its
    /// engine called it.
    static boolean isOfNode(Holding holding, String node) {
        return holding.facts().node().equals(node)
                || holding.holder().equals("node/" + node)
                || holding.holder().equals("host:" + node);
    }

    static boolean isOfPod(Holding holding, String namespace, String name) {
        return holding.facts().pod().equals(name) && holding.facts().namespace().equals(namespace);
    }

    private List<Recorded> named(String name, Predicate<Holding> matching, long from, int limit) {
        return find(
                new Journal.Query.Named(EntryIndex.name(name)),
                from,
                limit,
                entry -> entry.holdings().anyMatch(matching));
    }

    private static List<Recorded> merged(List<Recorded> some, List<Recorded> others, int limit) {
        return Stream.concat(some.stream(), others.stream())
                .distinct()
                .sorted(Comparator.comparingLong(Recorded::number))
                .limit(limit)
                .toList();
    }

    /// Entries not before `start` and before `end`.
    public List<Recorded> between(Instant start, Instant end, long from, int limit) {
        return find(
                new Journal.Query.Between(start, end),
                from,
                limit,
                entry -> !entry.at().isBefore(start) && entry.at().isBefore(end));
    }

    /// The holders of the address at a time, at every level, widest first.
    public List<Holding> heldAt(Address address, Instant at) {
        return holders(address, at, Writers.OTHERS_TOO).periods().stream()
                .map(HoldingPeriod::holding)
                .toList();
    }

    /// Periods, and what is wrong with them.
    public record Periods(List<HoldingPeriod> periods, List<DoubleHolding> doubled) {
        public Periods {
            periods = List.copyOf(periods);
            doubled = List.copyOf(doubled);
        }
    }

    /// The periods in which the address was held at a time, at every level, widest first.
    ///
    /// It reads no more than a few entries of each range around the address, those next to the time, so
    /// it takes as long for an address that changed hands a hundred thousand times. Entries of one range
    /// are out of order by less than [#WINDOW].
    public Periods holders(Address address, Instant at, Writers writers) {
        return journal.look(look -> {
            long last = look.lastUntil(at);
            var periods = new ArrayList<HoldingPeriod>();
            var doubled = new ArrayList<DoubleHolding>();
            for (var span : look.spansOverlapping(EntryIndex.span(Range.of(address)))) {
                // An entry records other ranges too, and the entries that follow for those may not be
                // among those that are read here.
                var found = periods(
                        around(look, span, last, at),
                        holding -> EntryIndex.span(holding.range()).equals(span),
                        writers);
                found.periods().stream()
                        .filter(period -> period.until().isEmpty())
                        .filter(period -> !period.from().isAfter(at))
                        .forEach(periods::add);
                doubled.addAll(found.doubled());
            }
            periods.sort(Comparator.comparing(period -> period.holding().level()));
            return new Periods(periods, doubled);
        });
    }

    /// The entries of a span next to the one with this number, of times that are not after this one.
    private static List<Recorded> around(Journal.Look look, Journal.Span span, long number, Instant at) {
        var query = new Journal.Query.Spanning(span);
        var found = new ArrayList<Journal.Entry>();
        if (number > 0) {
            found.addAll(look.findBack(query, number, WINDOW).reversed());
        }
        found.addAll(look.find(query, number + 1, WINDOW));
        // Most of the later ones need not be read: only a cut records times before its own.
        return found.stream()
                .filter(record -> !record.at().isAfter(at) || LedgerCodec.isCut(record))
                .map(Ledger::recorded)
                .toList();
    }

    /// All periods in which the address was held, oldest first.
    public Periods periodsOf(Address address, Writers writers) {
        var range = Range.of(address);
        return periods(
                all((from, limit) -> touching(range, from, limit)),
                holding -> holding.range().contains(address),
                writers);
    }

    /// All periods in which the node held anything or a pod on it did, oldest first.
    public Periods periodsOfNode(String node, Writers writers) {
        return traced(
                periods(all((from, limit) -> ofNode(node, from, limit)), holding -> isOfNode(holding, node), writers),
                writers);
    }

    /// All periods in which pods of this name held anything, oldest first.
    public Periods periodsOfPod(String namespace, String name, Writers writers) {
        return traced(
                periods(
                        all((from, limit) -> ofPod(namespace, name, from, limit)),
                        holding -> isOfPod(holding, namespace, name),
                        writers),
                writers);
    }

    /// What is held at the end of the ledger, in the order in which it began. It reads all entries.
    public Periods openPeriods(Writers writers) {
        var periods = new HoldingPeriods(writers, _ -> {});
        var order = new CommitOrder(periods::add);
        each(this::read, order::add);
        order.end();
        return new Periods(periods.open(), periods.doubled());
    }

    /// Entries are found by what they say of a holder. The entry that ends a period may say less than
    /// the one that began it, or name another holder; so what seems to last is looked for by its range.
    private Periods traced(Periods found, Writers writers) {
        return new Periods(
                found.periods().stream()
                        .map(period -> period.until().isPresent() ? period : traced(period, writers))
                        .toList(),
                found.doubled());
    }

    private HoldingPeriod traced(HoldingPeriod period, Writers writers) {
        var span = EntryIndex.span(period.holding().range());
        var entries = journal.find(new Journal.Query.Spanning(span), Math.max(1, period.number()), WINDOW).stream()
                .map(Ledger::recorded)
                .toList();
        return periods(entries, holding -> EntryIndex.span(holding.range()).equals(span), writers).periods().stream()
                .filter(other -> other.number() == period.number())
                .filter(other -> other.holding().equals(period.holding()))
                .findFirst()
                .orElse(period);
    }

    private static Periods periods(List<Recorded> entries, Predicate<Holding> matching, Writers writers) {
        var found = new ArrayList<HoldingPeriod>();
        var periods = new HoldingPeriods(writers, matching, found::add);
        CommitOrder.pass(entries, periods::add);
        found.addAll(periods.open());
        found.sort(Comparator.comparing(HoldingPeriod::from)
                .thenComparing(period -> period.holding().level()));
        return new Periods(found, periods.doubled());
    }

    private interface Pages {
        List<Recorded> page(long from, int limit);
    }

    private static List<Recorded> all(Pages pages) {
        var entries = new ArrayList<Recorded>();
        each(pages, entries::add);
        return entries;
    }

    private static void each(Pages pages, Consumer<Recorded> reading) {
        var page = pages.page(1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            page.forEach(reading);
            page = pages.page(page.getLast().number() + 1, Journal.PAGE_RECORDS_MAX);
        }
    }

    /// Which entries are to stay.
    public sealed interface Retention {

        /// Those that are not older.
        record NotBefore(Instant start) implements Retention {}

        /// The newest ones that take no more bytes than these, about.
        record Within(long bytesMax) implements Retention {}
    }

    /// Which entries are cut off, and what is kept of them.
    ///
    /// @param first the number of the first one
    /// @param last the number of the last one
    /// @param left how many entries stay
    /// @param bytes about how many bytes those that go take
    /// @param at the latest time of those that go
    /// @param revision the greatest of those that go
    /// @param open what is held after the last of them
    /// @param hash that of the last one
    public record Trim(
            long first,
            long last,
            long left,
            long bytes,
            Instant at,
            long revision,
            List<HoldingPeriod> open,
            String hash) {
        public Trim {
            open = List.copyOf(open);
        }
    }

    /// Which of the oldest entries can be cut off; none if too few are to go.
    public Optional<Trim> planTrim(Retention retention) {
        return journal.look(look -> new LedgerTrim(retention).plan(look));
    }

    /// Cuts off what was planned. It is replaced by what was held then, and an entry records the cut.
    public void trim(Trim plan, Instant now) {
        journal.cut(look -> LedgerTrim.cut(look, plan, now));
    }

    /// Until when entries were cut off, if any were: of times before, the ledger knows only what lasted.
    public Optional<Instant> trimmedUntil() {
        return read(1, 1).stream()
                .map(Recorded::entry)
                .filter(LedgerCut::is)
                .map(Entry::at)
                .findFirst();
    }

    /// Reads the whole ledger and checks every hash, every number and that every entry is filed under
    /// all it names and under nothing else.
    public Verification verify() {
        return verify(Writers.OTHERS_TOO);
    }

    /// Checks also whether two hold the same by the account of the entries.
    public Verification verify(Writers writers) {
        return journal.look(look -> {
            var audit = new LedgerAudit(writers);
            try {
                look.scan(audit::next);
                return audit.end();
            } catch (LedgerException broken) {
                return new Verification.Broken(broken.number(), broken.reason());
            }
        });
    }

    /// The journal's index only says where to look; what counts is what the entry itself says.
    private List<Recorded> find(Journal.Query query, long from, int limit, Predicate<Entry> matching) {
        var found = new ArrayList<Recorded>();
        var page = journal.find(query, from, limit);
        // Ends: each page begins after the last record of the one before.
        while (!page.isEmpty() && found.size() < limit) {
            page.stream()
                    .map(Ledger::recorded)
                    .filter(recorded -> matching.test(recorded.entry()))
                    .limit(limit - found.size())
                    .forEach(found::add);
            page = page.size() < limit
                    ? List.of()
                    : journal.find(query, page.getLast().number() + 1, limit);
        }
        return List.copyOf(found);
    }

    static Recorded recorded(Journal.Entry record) {
        return new Recorded(
                record.number(),
                LedgerCodec.decode(record.number(), record.content()).entry());
    }
}
