package io.cadastre.verification.simulation.block;

import io.cadastre.address.Address;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// Every state of the store since the simulation began.
///
/// Requests that were combined into one commit leave no state between them. The holdings after each of them
/// are replayed from the ledger's entries.
final class BlockHistory {

    private final Simulation stage;
    private final BlockWorld cluster;
    private final List<State> states = new ArrayList<>();

    /// What the ledger records of each commit, as far as it was read.
    private final Map<Long, List<Ledger.Entry>> told = new HashMap<>();

    private long lastTold;

    /// What the store held after the commit with this revision.
    private record State(long revision, BlockState scene, List<Holding> holdings) {}

    BlockHistory(Simulation stage, BlockWorld cluster) {
        this.stage = stage;
        this.cluster = cluster;
        look();
    }

    /// Adds the state that the store is in now.
    void look() {
        var view = cluster.everything();
        states.add(new State(stage.store().list("", 1).revision(), BlockState.of(view), BlockHoldings.of(view)));
    }

    /// The holdings now.
    List<Holding> holdings() {
        return states.getLast().holdings();
    }

    int size() {
        return states.size();
    }

    BlockState now() {
        return at(latest());
    }

    /// The number of the last state.
    int latest() {
        return states.size() - 1;
    }

    BlockState at(int number) {
        return states.get(number).scene();
    }

    /// The number of the last state that is known to a process that knows all up to this revision.
    int latestUpTo(long revision) {
        int number = latest();
        while (number > 0 && states.get(number).revision() > revision) {
            number--;
        }
        return number;
    }

    /// The states since the one of this number, without what was between them.
    List<BlockState> since(int number) {
        return states.subList(number, states.size()).stream().map(State::scene).toList();
    }

    /// Whether this was so at some instant since the state of this number.
    boolean sometime(int asked, Predicate<BlockState> truth) {
        return since(asked).stream().anyMatch(truth)
                || IntStream.rangeClosed(asked + 1, latest())
                        .mapToObj(this::passing)
                        .flatMap(List::stream)
                        .anyMatch(truth);
    }

    /// The holdings between the state before the one of this number and that one; nothing where the ledger
    /// does not have the commit.
    List<BlockState> passing(int number) {
        var scenes = new ArrayList<BlockState>();
        var former = at(number - 1);
        var entries = toldOf(states.get(number).revision());
        if (entries.isEmpty()) {
            return List.of();
        }
        var holders = new TreeMap<>(former.holders());
        var owners = new TreeMap<>(former.owners());
        for (var entry : entries) {
            replay(entry, Level.ENDPOINT, holders);
            replay(entry, Level.NODE, owners);
            scenes.add(new BlockState(former.view(), former.blocks(), new TreeMap<>(holders), new TreeMap<>(owners)));
        }
        return scenes;
    }

    /// The addresses that requests of one commit took before another request of it was decided.
    ///
    /// @param asked the number of the state in which that other request was made
    /// @param words how its words begin
    SortedSet<Address> takenBefore(int asked, String words, Object outcome) {
        readLedger();
        var taken = new TreeSet<Address>();
        told.forEach((revision, entries) -> {
            int own = indexOf(words, Fact.of(outcome), entries);
            if (revision > states.get(asked).revision() && own > 0) {
                entries.subList(0, own).stream()
                        .flatMap(entry -> entry.granted().stream())
                        .filter(holding -> holding.level() == Level.ENDPOINT)
                        .forEach(holding -> taken.add(holding.range().first()));
            }
        });
        return taken;
    }

    private static int indexOf(String words, Fact outcome, List<Ledger.Entry> entries) {
        return IntStream.range(0, entries.size())
                .filter(index -> entries.get(index).request().startsWith(words))
                .filter(index -> entries.get(index).outcome().equals(outcome))
                .max()
                .orElse(-1);
    }

    private List<Ledger.Entry> toldOf(long revision) {
        readLedger();
        return told.getOrDefault(revision, List.of());
    }

    private void readLedger() {
        var page = stage.ledger().read(lastTold + 1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            for (var recorded : page) {
                told.computeIfAbsent(recorded.entry().revision(), _ -> new ArrayList<>())
                        .add(recorded.entry());
            }
            lastTold = page.getLast().number();
            page = stage.ledger().read(lastTold + 1, Journal.PAGE_RECORDS_MAX);
        }
    }

    private static void replay(Ledger.Entry entry, Level level, Map<Address, String> held) {
        entry.returned().stream()
                .filter(holding -> holding.level() == level)
                .forEach(holding -> held.remove(holding.range().first()));
        entry.granted().stream()
                .filter(holding -> holding.level() == level)
                .filter(holding -> holding.state() == Holding.State.HELD)
                .forEach(holding -> held.put(holding.range().first(), holding.holder()));
    }
}
