package io.cadastre.verification.simulation;

import io.cadastre.address.Address;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.registry.Ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// Every state of the store since the simulation began.
///
/// Requests that were combined into one commit leave no state between them. Who held what after each of
/// them is replayed from the ledger's entries.
final class BlockPast {

    private final Stage stage;
    private final BlockWorld world;
    private final List<State> states = new ArrayList<>();

    /// What the ledger tells of each commit, as far as it was read.
    private final Map<Long, List<Ledger.Entry>> told = new HashMap<>();

    private long lastTold;

    /// What the store held after the commit with this revision.
    private record State(long revision, BlockScene scene, List<Holding> holdings) {}

    BlockPast(Stage stage, BlockWorld world) {
        this.stage = stage;
        this.world = world;
        look();
    }

    /// Adds the state that the store is in now.
    void look() {
        var view = world.everything();
        states.add(
                new State(
                        stage.store().list("", 1).revision(),
                        BlockScene.of(view),
                        BlockHoldings.of(view)));
    }

    /// Who holds what now.
    List<Holding> holdings() {
        return states.getLast().holdings();
    }

    int size() {
        return states.size();
    }

    BlockScene now() {
        return at(latest());
    }

    /// The number of the last state.
    int latest() {
        return states.size() - 1;
    }

    BlockScene at(int number) {
        return states.get(number).scene();
    }

    /// The number of the last state that who knows all up to this revision knows.
    int latestUpTo(long revision) {
        int number = latest();
        while (number > 0 && states.get(number).revision() > revision) {
            number--;
        }
        return number;
    }

    /// The states since the one of this number, without what was between them.
    List<BlockScene> since(int number) {
        return states.subList(number, states.size()).stream().map(State::scene).toList();
    }

    /// Whether this was so at some instant since the state of this number.
    boolean sometime(int asked, Predicate<BlockScene> truth) {
        return since(asked).stream().anyMatch(truth)
                || IntStream.rangeClosed(asked + 1, latest())
                        .mapToObj(this::passing)
                        .flatMap(List::stream)
                        .anyMatch(truth);
    }

    /// Who held what between the state before the one of this number and that one; nothing where the
    /// ledger does not have the commit.
    List<BlockScene> passing(int number) {
        var scenes = new ArrayList<BlockScene>();
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
            scenes.add(
                    new BlockScene(
                            former.view(),
                            former.blocks(),
                            new TreeMap<>(holders),
                            new TreeMap<>(owners)));
        }
        return scenes;
    }

    private List<Ledger.Entry> toldOf(long revision) {
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
        return told.getOrDefault(revision, List.of());
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
