package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The append-only history of decisions, with their reasons.
///
/// Each entry carries the hash of itself and of the entry before it, so that a byte changed anywhere
/// shows ([#verify()]). The chain cannot show that the newest entries were cut off; who must know
/// that keeps the hash of the last entry elsewhere and compares.
///
/// An entry is written after the commit it tells of. A process that dies in between leaves a commit
/// without an entry; the entry's revision tells commits apart and in which order they were.
public final class Ledger implements Recorder {

    private final Journal journal;

    public Ledger(Journal journal) {
        this.journal = journal;
    }

    /// One decision that was enacted.
    ///
    /// @param request what was asked
    /// @param outcome what came of it
    /// @param attempt how many times it had to be decided
    /// @param revision the revision of the store after it; zero if it changed nothing
    /// @param granted what somebody holds because of it
    /// @param returned what somebody no longer holds because of it
    /// @param because the reasons, as sentences
    public record Entry(
            Instant at,
            String request,
            String outcome,
            int attempt,
            long revision,
            List<Holding> granted,
            List<Holding> returned,
            List<String> because) {

        public Entry {
            granted = List.copyOf(granted);
            returned = List.copyOf(returned);
            because = List.copyOf(because);
        }

        private Stream<Holding> holdings() {
            return Stream.concat(granted.stream(), returned.stream());
        }
    }

    /// An entry with its place in the ledger.
    public record Recorded(long number, Entry entry) {}

    /// Whether the ledger is as it was written.
    public sealed interface Verification {

        /// Every entry is sound.
        ///
        /// @param head the hash of the last entry, in hexadecimal; zeros for an empty ledger
        record Sound(long entries, String head) implements Verification {}

        /// The first entry that is not as it was written.
        record Broken(long number, String reason) implements Verification {}
    }

    /// Appends entries, durably and all or none.
    @Override
    public void append(List<Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        journal.append(
                last -> {
                    var drafts = new ArrayList<Journal.Draft>();
                    long number = last.map(Journal.Entry::number).orElse(0L);
                    byte[] hash =
                            last.map(before -> LedgerCodec.hash(before.content()))
                                    .orElseGet(LedgerCodec::genesis);
                    for (var entry : entries) {
                        number++;
                        var content = LedgerCodec.encode(number, entry, hash);
                        hash = LedgerCodec.hash(content);
                        drafts.add(
                                new Journal.Draft(entry.at(), content, names(entry), spans(entry)));
                    }
                    return drafts;
                });
    }

    @Override
    public void appendUnlessThere(List<Entry> entries) {
        if (!entries.isEmpty() && !there(entries)) {
            append(entries);
        }
    }

    /// Entries are appended all or none, so they stand side by side.
    private boolean there(List<Entry> entries) {
        var instant = entries.getFirst().at();
        var found = new ArrayList<Entry>();
        var page = between(instant, instant.plusNanos(1), 1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            page.forEach(recorded -> found.add(recorded.entry()));
            page =
                    between(
                            instant,
                            instant.plusNanos(1),
                            page.getLast().number() + 1,
                            Journal.PAGE_RECORDS_MAX);
        }
        return Collections.indexOfSubList(found, entries) >= 0;
    }

    /// Entries from this number on, in order.
    public List<Recorded> read(long from, int limit) {
        return journal.read(from, limit).stream().map(Ledger::recorded).toList();
    }

    /// Entries that granted or returned anything in the range.
    public List<Recorded> touching(Range range, long from, int limit) {
        return find(
                new Journal.Query.Overlapping(span(range)),
                from,
                limit,
                entry -> entry.holdings().anyMatch(holding -> holding.range().overlaps(range)));
    }

    /// Entries that granted something to the holder or took it back.
    public List<Recorded> of(String holder, long from, int limit) {
        return find(
                new Journal.Query.Named(holder),
                from,
                limit,
                entry -> entry.holdings().anyMatch(holding -> holding.holder().equals(holder)));
    }

    /// Entries not before `start` and before `end`.
    public List<Recorded> between(Instant start, Instant end, long from, int limit) {
        return find(
                new Journal.Query.Between(start, end),
                from,
                limit,
                entry -> !entry.at().isBefore(start) && entry.at().isBefore(end));
    }

    /// Who held the address at a time, at every level, widest first.
    public List<Holding> heldAt(Address address, Instant at) {
        var entries = new ArrayList<Recorded>();
        var page = touching(Range.of(address), 1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            entries.addAll(page);
            page =
                    touching(
                            Range.of(address),
                            page.getLast().number() + 1,
                            Journal.PAGE_RECORDS_MAX);
        }
        var held = new LinkedHashSet<Holding>();
        for (var entry : inOrderOfCommits(entries)) {
            if (!entry.at().isAfter(at)) {
                entry.returned().forEach(held::remove);
                entry.granted().stream()
                        .filter(holding -> holding.range().contains(address))
                        .forEach(held::add);
            }
        }
        return held.stream().sorted(Comparator.comparing(Holding::level)).toList();
    }

    /// Who committed first need not have appended first. An entry without a revision tells of what was
    /// found done, so it comes after all that had been appended by then.
    private static List<Entry> inOrderOfCommits(List<Recorded> appended) {
        record Placed(long revision, Entry entry) {}
        var placed = new ArrayList<Placed>();
        long newest = 0;
        for (var recorded : appended) {
            long revision = recorded.entry().revision();
            newest = Math.max(newest, revision);
            placed.add(new Placed(revision == 0 ? newest : revision, recorded.entry()));
        }
        return placed.stream()
                .sorted(Comparator.comparingLong(Placed::revision))
                .map(Placed::entry)
                .toList();
    }

    /// Reads the whole ledger and checks every hash, every number and that every entry can be found
    /// by what it tells of.
    public Verification verify() {
        long expected = 1;
        byte[] hash = LedgerCodec.genesis();
        while (true) {
            var page = journal.read(expected, Journal.PAGE_RECORDS_MAX);
            for (var record : page) {
                var fault = fault(record, expected, hash);
                if (fault.isPresent()) {
                    return new Verification.Broken(expected, fault.get());
                }
                hash = LedgerCodec.hash(record.content());
                expected++;
            }
            if (page.isEmpty()) {
                return new Verification.Sound(expected - 1, LedgerCodec.hexadecimal(hash));
            }
        }
    }

    private Optional<String> fault(Journal.Entry record, long expected, byte[] before) {
        if (record.number() != expected) {
            return Optional.of("it is missing; the next one is " + record.number());
        }
        var fault = LedgerCodec.fault(record.number(), record.content(), before);
        if (fault.isPresent()) {
            return fault;
        }
        var entry = LedgerCodec.decode(record.number(), record.content());
        if (!entry.at().equals(record.at())) {
            return Optional.of("its time is filed as %s".formatted(record.at()));
        }
        for (var name : names(entry)) {
            if (!found(new Journal.Query.Named(name), expected)) {
                return Optional.of("it is not filed under its holder " + name);
            }
        }
        for (var span : spans(entry)) {
            if (!found(new Journal.Query.Overlapping(span), expected)) {
                return Optional.of("it is not filed under a range it tells of");
            }
        }
        return Optional.empty();
    }

    private boolean found(Journal.Query query, long number) {
        return journal.find(query, number, 1).stream().anyMatch(entry -> entry.number() == number);
    }

    /// The journal's index only says where to look; what counts is what the entry itself says.
    private List<Recorded> find(
            Journal.Query query, long from, int limit, Predicate<Entry> matching) {
        var found = new ArrayList<Recorded>();
        var page = journal.find(query, from, limit);
        // Ends: each page begins after the last record of the one before.
        while (!page.isEmpty() && found.size() < limit) {
            page.stream()
                    .map(Ledger::recorded)
                    .filter(recorded -> matching.test(recorded.entry()))
                    .limit(limit - found.size())
                    .forEach(found::add);
            page =
                    page.size() < limit
                            ? List.of()
                            : journal.find(query, page.getLast().number() + 1, limit);
        }
        return List.copyOf(found);
    }

    private static Recorded recorded(Journal.Entry record) {
        return new Recorded(record.number(), LedgerCodec.decode(record.number(), record.content()));
    }

    private static List<String> names(Entry entry) {
        return entry.holdings().map(Holding::holder).distinct().toList();
    }

    private static List<Journal.Span> spans(Entry entry) {
        return entry.holdings().map(Holding::range).distinct().map(Ledger::span).toList();
    }

    private static Journal.Span span(Range range) {
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
