package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockReason.NotForUse;
import io.cadastre.engine.block.BlockReason.NotSelected;
import io.cadastre.engine.block.BlockReason.PassedOverPool;
import io.cadastre.engine.block.BlockReason.PoolRule;
import io.cadastre.engine.block.BlockReason.TookPool;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.selector.SelectorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which pools serve a request.
public sealed interface PoolSelection {

    /// Some do.
    ///
    /// @param matching those that select the request, or that it asked for
    /// @param usable those of them that are for its use
    record Chosen(List<IpPool> matching, List<IpPool> usable) implements PoolSelection {}

    /// None does.
    record Refused(BlockRefusal refusal) implements PoolSelection {}

    /// What a request needs of a pool.
    ///
    /// @param requested the pools it asked for; any if none
    record Need(
            String host,
            Family family,
            List<Prefix> requested,
            AddressUse use,
            HostReserve hostReserve,
            Map<String, String> nodeLabels,
            Map<String, String> namespaceLabels) {}

    /// The first pool that anything may be taken from and that has the address.
    static Optional<IpPool> enabledAround(BlockView view, Address address) {
        return view.pools().stream()
                .filter(pool -> pool.enabled() && pool.cidr().contains(address))
                .findFirst();
    }

    /// The first pool that has the address, whether or not anything may be taken from it.
    static Optional<IpPool> anyAround(BlockView view, Address address) {
        return view.pools().stream()
                .filter(pool -> pool.cidr().contains(address))
                .findFirst();
    }

    static PoolSelection of(Draft draft, Need need) {
        int blockLengthMax = need.family().bits();
        if (need.hostReserve() instanceof HostReserve.Ends ends) {
            if (ends.count() == 0) {
                return refused("HostReservedAttr has wrong parameters");
            }
            blockLengthMax -= Integer.SIZE - Integer.numberOfLeadingZeros(ends.count());
        }
        var candidates = new ArrayList<IpPool>();
        for (var pool : draft.view().pools()) {
            if (pool.family() == need.family()) {
                if (!pool.enabled()) {
                    passOver(draft, pool, rule(pool.standing()));
                } else if (pool.blockLength() > blockLengthMax) {
                    passOver(draft, pool, PoolRule.BLOCKS_TOO_SMALL);
                } else {
                    candidates.add(pool);
                }
            }
        }
        if (candidates.isEmpty()) {
            return new Refused(BlockRefusal.NoQualifiedPool.none());
        }
        return need.requested().isEmpty() ? selected(draft, need, candidates) : requested(draft, need, candidates);
    }

    private static PoolSelection requested(Draft draft, Need need, List<IpPool> candidates) {
        var matching = new ArrayList<IpPool>();
        for (var cidr : need.requested()) {
            var found =
                    candidates.stream().filter(pool -> pool.cidr().equals(cidr)).findFirst();
            if (found.isEmpty()) {
                return refused("the given pool (%s) does not exist, or is not enabled".formatted(cidr));
            }
            matching.add(found.get());
        }
        candidates.stream()
                .filter(pool -> !matching.contains(pool))
                .forEach(pool -> passOver(draft, pool, PoolRule.NOT_REQUESTED));
        return usable(draft, need, matching);
    }

    /// Calico walks all enabled pools here, also those whose blocks are too small for the host.
    private static PoolSelection selected(Draft draft, Need need, List<IpPool> candidates) {
        var matching = new ArrayList<IpPool>();
        for (var pool : candidates) {
            if (pool.assignmentMode() == IpPool.AssignmentMode.MANUAL) {
                passOver(draft, pool, PoolRule.MANUAL);
                continue;
            }
            switch (pool.nodeSelector()) {
                case SelectorText.TooMuch _ -> {
                    passOver(draft, pool, PoolRule.SELECTOR_TOO_MUCH);
                    continue;
                }
                case SelectorText.Malformed(var _, var error) -> {
                    return refused(error);
                }
                case SelectorText.Parsed(var _, var selector)
                when !selector.matches(need.nodeLabels()) -> {
                    draft.explain(NotSelected.of(
                            pool, "nodeSelector", pool.nodeSelector(), "node " + need.host(), need.nodeLabels()));
                    continue;
                }
                case SelectorText.Parsed _ -> {}
            }
            switch (pool.namespaceSelector()) {
                case SelectorText.TooMuch _ -> passOver(draft, pool, PoolRule.SELECTOR_TOO_MUCH);
                case SelectorText.Malformed(var _, var error) -> {
                    return refused(error);
                }
                case SelectorText.Parsed(var _, var selector)
                when !selector.matches(need.namespaceLabels()) ->
                    draft.explain(NotSelected.of(
                            pool,
                            "namespaceSelector",
                            pool.namespaceSelector(),
                            "the namespace",
                            need.namespaceLabels()));
                case SelectorText.Parsed _ -> matching.add(pool);
            }
        }
        return usable(draft, need, matching);
    }

    private static PoolSelection usable(Draft draft, Need need, List<IpPool> matching) {
        if (matching.isEmpty()) {
            return refused("no configured Calico pools for node %s".formatted(need.host()));
        }
        var usable = new ArrayList<IpPool>();
        for (var pool : matching) {
            if (pool.allows(need.use())) {
                usable.add(pool);
                draft.explain(new TookPool(pool.name(), pool.cidr()));
            } else {
                draft.explain(NotForUse.of(pool, need.use()));
            }
        }
        return usable.isEmpty()
                ? new Refused(BlockRefusal.NoQualifiedPool.forUse(need.use()))
                : new Chosen(List.copyOf(matching), List.copyOf(usable));
    }

    private static void passOver(Draft draft, IpPool pool, PoolRule rule) {
        draft.explain(new PassedOverPool(pool.name(), pool.cidr(), rule));
    }

    private static PoolRule rule(IpPool.Mode standing) {
        return switch (standing) {
            case DISABLED -> PoolRule.DISABLED;
            case DELETING -> PoolRule.DELETING;
            case NOT_ALLOCATABLE -> PoolRule.NOT_ALLOCATABLE;
            case ENABLED -> throw new IllegalStateException("an enabled pool is not barred");
        };
    }

    private static Refused refused(String sentence) {
        return new Refused(new BlockRefusal.Because(sentence));
    }
}
