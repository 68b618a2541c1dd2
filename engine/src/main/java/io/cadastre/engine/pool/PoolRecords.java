package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.engine.SortedIndex;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which pod has which address of a pool.
///
/// Of many decisions that are combined in one commit, each has its own records for the price of a few: changed
/// records share what did not change. Addresses in a row are one run, so that the first free one behind a thousand
/// that are taken is found in a few steps, in a /10 as in a /24.
public final class PoolRecords {

    /// No pod has anything.
    public static final PoolRecords NONE = new PoolRecords(SortedIndex.empty(), SortedIndex.empty(), 0);

    private final SortedIndex<Address, Held> held;

    /// Addresses in a row that are taken, by the last of them: the first run that ends at or after an address has it,
    /// or lies behind it.
    private final SortedIndex<Address, Range> runs;

    private final long characters;

    /// One record.
    public record Held(Address address, PoolRecord record) {

        private long characters() {
            return (long) address.toString().length()
                    + record.pod().length()
                    + record.podUid().length();
        }
    }

    private PoolRecords(SortedIndex<Address, Held> held, SortedIndex<Address, Range> runs, long characters) {
        this.held = held;
        this.runs = runs;
        this.characters = characters;
    }

    public static PoolRecords of(SortedMap<Address, PoolRecord> records) {
        var held = new TreeMap<Address, Held>();
        records.forEach((address, record) -> held.put(address, new Held(address, record)));
        var runs = new TreeMap<Address, Range>();
        for (var address : records.keySet()) {
            var before = runs.isEmpty()
                    ? Optional.<Range>empty()
                    : Optional.of(runs.lastEntry().getValue());
            var first = before.filter(run -> follows(run, address)).map(Range::first);
            before.filter(_ -> first.isPresent()).ifPresent(run -> runs.remove(run.last()));
            runs.put(address, new Range(first.orElse(address), address));
        }
        return new PoolRecords(
                SortedIndex.ofSorted(held),
                SortedIndex.ofSorted(runs),
                held.values().stream().mapToLong(Held::characters).sum());
    }

    private static boolean follows(Range run, Address address) {
        return run.family() == address.family()
                && run.last().compareTo(address) < 0
                && run.last().next().equals(address);
    }

    public Optional<PoolRecord> find(Address address) {
        return held.find(address).map(Held::record);
    }

    /// The first address that has this record.
    Optional<Address> findAddress(PoolRecord record) {
        return held.values().stream()
                .filter(one -> one.record().equals(record))
                .map(Held::address)
                .findFirst();
    }

    /// The run of taken addresses in which this one is.
    Optional<Range> findRun(Address address) {
        return runs.firstFrom(address).filter(run -> run.contains(address));
    }

    public int size() {
        return held.size();
    }

    public boolean empty() {
        return held.size() == 0;
    }

    /// How many characters the addresses, pods and uids have together.
    public long characters() {
        return characters;
    }

    /// In the order of addresses.
    public List<Held> all() {
        return held.values();
    }

    PoolRecords with(Address address, PoolRecord record) {
        var former = held.find(address);
        var one = new Held(address, record);
        return new PoolRecords(
                held.with(address, one),
                former.isPresent() ? runs : withRun(address),
                characters + one.characters() - former.map(Held::characters).orElse(0L));
    }

    /// It joins the runs beside it.
    private SortedIndex<Address, Range> withRun(Address address) {
        var before = runBefore(address);
        var after = runs.firstFrom(address).filter(run -> follows(Range.of(address), run.first()));
        var joined = new Range(
                before.map(Range::first).orElse(address), after.map(Range::last).orElse(address));
        var fewer = before.isPresent() ? runs.without(before.get().last()) : runs;
        return fewer.with(joined.last(), joined);
    }

    private Optional<Range> runBefore(Address address) {
        boolean lowest = address.number().signum() == 0;
        return lowest ? Optional.empty() : findRun(address.previous());
    }

    PoolRecords without(Address address) {
        var former = held.find(address);
        if (former.isEmpty()) {
            return this;
        }
        var run = findRun(address).orElseThrow();
        var fewer = runs.without(run.last());
        if (!run.first().equals(address)) {
            fewer = fewer.with(address.previous(), new Range(run.first(), address.previous()));
        }
        if (!run.last().equals(address)) {
            fewer = fewer.with(run.last(), new Range(address.next(), run.last()));
        }
        return new PoolRecords(
                held.without(address), fewer, characters - former.get().characters());
    }

    /// The same as a map.
    public SortedMap<Address, PoolRecord> map() {
        var map = new TreeMap<Address, PoolRecord>();
        all().forEach(one -> map.put(one.address(), one.record()));
        return Collections.unmodifiableSortedMap(map);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PoolRecords records && all().equals(records.all());
    }

    @Override
    public int hashCode() {
        return all().hashCode();
    }

    @Override
    public String toString() {
        return map().toString();
    }
}
