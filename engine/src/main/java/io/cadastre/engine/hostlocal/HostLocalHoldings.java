package io.cadastre.engine.hostlocal;

import io.cadastre.address.Range;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: ranges, the gateways in them, and the addresses that are held.
public final class HostLocalHoldings {

    private HostLocalHoldings() {}

    /// What the groups span and what the view says is held of it. An address that lies in none of them,
    /// since the configuration was another one when it was given, is its own whole.
    public static List<Holding> of(List<RangeGroup> groups, HostLocalView view) {
        var holdings = new ArrayList<Holding>();
        for (var group : groups) {
            for (var range : group.ranges()) {
                holdings.add(new Holding(range.range(), Level.POOL, "subnet/" + range.subnet(), State.HELD));
                if (range.contains(range.gateway())) {
                    holdings.add(new Holding(
                            Range.of(range.gateway()), Level.ENDPOINT, "gateway/" + range.subnet(), State.RESERVED));
                }
            }
        }
        for (var entry : view.entries()) {
            for (var holding : of(entry)) {
                if (groups.stream()
                        .noneMatch(group -> group.contains(holding.range().first()))) {
                    holdings.add(new Holding(
                            holding.range(),
                            Level.POOL,
                            "orphan/" + holding.range().first(),
                            State.HELD));
                }
                holdings.add(holding);
            }
        }
        return List.copyOf(holdings);
    }

    /// What is held by this file: an address or nothing.
    public static List<Holding> of(FolderEntry entry) {
        if (!entry.reserves()) {
            return List.of();
        }
        return entry.address().stream()
                .map(address -> new Holding(
                        Range.of(address),
                        Level.ENDPOINT,
                        "container/" + String.join("/", entry.lines()),
                        State.HELD,
                        facts(entry.lines())))
                .toList();
    }

    private static HolderFacts facts(List<String> lines) {
        return switch (lines.size()) {
            case 0 -> HolderFacts.NONE;
            case 1 -> HolderFacts.NONE.withHandle(lines.getFirst());
            default -> HolderFacts.NONE.withHandle(lines.getFirst()).withNetworkInterface(lines.get(1));
        };
    }
}
