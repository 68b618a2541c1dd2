package io.cadastre.verification.simulation.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.Holding;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The holdings at one instant.
///
/// @param blocks those of the view, listed once because a view sorts them anew each time
/// @param holders the holder of each address, named as in a [Holding]
/// @param owners the owner of each block, named as in a [Holding]
public record BlockState(
        BlockView view, List<Block> blocks, SortedMap<Address, String> holders, SortedMap<Address, String> owners) {

    public static BlockState of(BlockView view) {
        var blocks = Stream.of(Family.values())
                .flatMap(family -> view.blocks(family).stream())
                .toList();
        var holders = new TreeMap<Address, String>();
        var owners = new TreeMap<Address, String>();
        for (var block : blocks) {
            var owner = block.owner().map(Owner::toString).orElse("");
            owners.put(block.cidr().first(), owner);
            for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                if (block.attribute(ordinal).orElse(null) instanceof Held held) {
                    var address = block.address(ordinal);
                    holders.put(address, holder(held.cleanHandle(), address));
                }
            }
        }
        return new BlockState(view, blocks, holders, owners);
    }

    /// What the holder of an address is called.
    static String holder(String handle, Address address) {
        return handle.isEmpty() ? "address/" + address : "handle/" + handle;
    }

    public boolean heldBy(String handle, Address address) {
        return holder(handle, address).equals(holders.get(address));
    }

    public SortedSet<Address> heldBy(String handle) {
        var addresses = new TreeSet<Address>();
        var named = "handle/" + handle;
        holders.forEach((address, holder) -> {
            if (holder.equals(named)) {
                addresses.add(address);
            }
        });
        return addresses;
    }

    boolean lends(Address address, Owner borrower) {
        return owner(address).equals(borrower.toString());
    }

    boolean withoutOwner(Address address) {
        return holders.containsKey(address) && owner(address).isEmpty();
    }

    private String owner(Address address) {
        var upTo = owners.headMap(address.next());
        return upTo.isEmpty() ? "" : upTo.getOrDefault(upTo.lastKey(), "");
    }

    Optional<Block> findBlock(Address address) {
        return blocks.stream().filter(block -> block.cidr().contains(address)).findFirst();
    }

    /// What is recorded about the address.
    Optional<Attribute> findAttribute(Address address) {
        return findBlock(address)
                .flatMap(block -> block.attribute(block.ordinal(address).orElseThrow()));
    }

    /// Whether the address is held, or was held until a moment ago.
    boolean taken(Address address) {
        return holders.containsKey(address) || findAttribute(address).isPresent();
    }
}
