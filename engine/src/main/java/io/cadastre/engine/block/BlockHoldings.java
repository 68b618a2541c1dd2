package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.block.collect.AddressUser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The map of a view: pools, the reserved addresses in them, the blocks that have an owner, and the
/// addresses that are held.
public final class BlockHoldings {

    /// The attribute of an address that says for which network, container and interface it is, with slashes
    /// between them. Calico ignores attributes that it does not know.
    public static final String ATTACHMENT = "cadastre-attachment";

    /// The attribute of an address that says which pod it is for, of several that have the same name one
    /// after another.
    public static final String POD_UID = "cadastre-pod-uid";

    private BlockHoldings() {}

    public static List<Holding> of(BlockView view) {
        var holdings = new ArrayList<Holding>();
        for (var pool : view.pools()) {
            holdings.add(holding(pool.cidr(), Level.POOL, "pool/" + pool.name(), State.HELD));
        }
        var taken = new ArrayList<Range>();
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                if (view.pools().stream().noneMatch(pool -> pool.cidr().contains(block.cidr()))) {
                    // The pool is gone and the block is not: it is its own whole.
                    holdings.add(holding(block.cidr(), Level.POOL, "orphan/" + block.cidr(), State.HELD));
                }
                var ofBlock = of(block);
                ofBlock.stream()
                        .filter(holding -> holding.level() == Level.ENDPOINT)
                        .forEach(holding -> taken.add(holding.range()));
                holdings.addAll(ofBlock);
            }
        }
        holdings.addAll(reserved(view, new RangeSet(taken)));
        return List.copyOf(holdings);
    }

    /// A reserved address that was requested by name belongs to its holder.
    private static List<Holding> reserved(BlockView view, RangeSet taken) {
        return view.pools().stream()
                .flatMap(pool ->
                        view
                                .reservations()
                                .addresses()
                                .intersect(RangeSet.of(pool.cidr()))
                                .minus(taken)
                                .ranges()
                                .stream())
                .map(range -> new Holding(range, Level.ENDPOINT, "reservation", State.RESERVED))
                .toList();
    }

    public static List<Holding> of(Block block) {
        return gained(Optional.empty(), Optional.of(block));
    }

    /// What is held in the second block and was not so in the first.
    public static List<Holding> gained(Optional<Block> before, Optional<Block> after) {
        if (after.isEmpty()) {
            return List.of();
        }
        var block = after.get();
        var gained = new ArrayList<Holding>();
        block.owner()
                .filter(owner ->
                        before.flatMap(Block::owner).filter(owner::equals).isEmpty())
                .ifPresent(owner -> gained.add(
                        new Holding(block.cidr().range(), Level.NODE, owner.toString(), State.HELD, facts(owner))));
        if (block.damaged() || before.filter(Block::damaged).isPresent()) {
            return gained;
        }
        var former = before.orElse(block);
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            if (before.isEmpty() || !block.sameAt(ordinal, former)) {
                var now = block.attribute(ordinal);
                if (now.isPresent()) {
                    gained.add(holding(block.address(ordinal), now.get()));
                }
            }
        }
        return gained;
    }

    private static Holding holding(Address address, Attribute attribute) {
        var range = Range.of(address);
        return switch (attribute) {
            case Attribute.Held held
            when held.cleanHandle().isEmpty() ->
                new Holding(range, Level.ENDPOINT, "address/" + address, State.HELD, facts(held));
            case Attribute.Held held ->
                new Holding(
                        range,
                        Level.ENDPOINT,
                        "handle/" + held.cleanHandle(),
                        held.keptByWindows() ? State.RESERVED : State.HELD,
                        facts(held));
            case Attribute.Cooling _ -> new Holding(range, Level.ENDPOINT, "address/" + address, State.COOLING);
        };
    }

    private static HolderFacts facts(Owner owner) {
        return owner.kind() == Owner.Kind.HOST ? HolderFacts.ofNode(owner.name()) : HolderFacts.NONE;
    }

    private static HolderFacts facts(Attribute.Held held) {
        var user = AddressUser.of(held);
        var attachment = held.owner().getOrDefault(ATTACHMENT, "");
        return HolderFacts.ofPod(user.namespace(), user.pod())
                .withUid(held.owner().getOrDefault(POD_UID, ""))
                .withNode(user.node())
                .withNetworkInterface(attachment.substring(attachment.lastIndexOf('/') + 1))
                .withHandle(held.cleanHandle());
    }

    private static Holding holding(Prefix prefix, Level level, String holder, State state) {
        return new Holding(prefix.range(), level, holder, state);
    }
}
