package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Owner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What `ipam check` finds: which addresses are recorded as held, which are in use, and where the two
/// differ.
///
/// @param allocations in the order of blocks and ordinals
/// @param users what uses an address, nodes and workloads
record Inspection(
        List<Block> blocks,
        List<IpPool> activePools,
        List<Allocation> allocations,
        List<User> nodeUsers,
        List<User> workloadUsers,
        SortedMap<Address, List<String>> users,
        List<StoredHandle> handles,
        Instant now) {

    /// The most nodes that are listed by their number of addresses.
    private static final int NODES_MAX = 20;

    /// An address that is not free.
    record Allocation(Address address, Block block, Attribute attribute, long sequence) {

        String handle() {
            return attribute instanceof Held held ? held.cleanHandle() : "";
        }

        String ownerAttribute(String name) {
            return attribute instanceof Held held ? held.owner().getOrDefault(name, "") : "";
        }

        String blockOwner() {
            return block.owner().map(Owner::name).orElse("");
        }

        /// The node of its holder if that is recorded; else the node of the block.
        String node() {
            return ownerAttribute("node").isEmpty() ? blockOwner() : ownerAttribute("node");
        }

        boolean borrowed() {
            return !ownerAttribute("node").isEmpty() && !ownerAttribute("node").equals(blockOwner());
        }

        boolean cooling() {
            return attribute instanceof Cooling;
        }

        /// Whether it is in order although it is not in use.
        boolean excused() {
            return attribute instanceof Cooling || (attribute instanceof Held held && held.keptByWindows());
        }

        /// The end of a line about it.
        String words() {
            var main = handle().isEmpty() ? "<none>" : handle();
            if (!(attribute instanceof Held held)) {
                return "Main:%s Extra:".formatted(main);
            }
            var alternate = held.alternate().isEmpty() ? "" : " Alternate:" + words(held.alternate());
            return "Main:%s Extra:%s%s".formatted(main, words(held.owner()), alternate);
        }

        private static String words(Map<String, String> attributes) {
            return attributes.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining(","));
        }
    }

    /// A user of an address.
    ///
    /// @param name for example `Node(node-1)`
    record User(Address address, String name) {}

    record StoredHandle(String id, long revision) {}

    /// A node and the number of its addresses.
    record NodeCount(String node, int count) {}

    record InvalidBlock(Prefix cidr, String fault) {}

    static Inspection of(
            List<Block> blocks,
            List<IpPool> pools,
            List<User> nodeUsers,
            List<User> workloadUsers,
            List<StoredHandle> handles,
            Instant now) {
        var allocations = new ArrayList<Allocation>();
        for (var block : blocks) {
            addAllocations(allocations, block);
        }
        var users = new TreeMap<Address, List<String>>();
        for (var list : List.of(nodeUsers, workloadUsers)) {
            for (var user : list) {
                users.computeIfAbsent(user.address(), _ -> new ArrayList<>()).add(user.name());
            }
        }
        return new Inspection(
                blocks,
                pools.stream().filter(IpPool::enabled).toList(),
                allocations,
                nodeUsers,
                workloadUsers,
                users,
                handles,
                now);
    }

    /// A block may point to attributes that it does not have; those are reported as faults.
    private static void addAllocations(List<Allocation> allocations, Block block) {
        int[] indexes = block.allocations();
        var attributes = block.attributes();
        for (int ordinal = 0; ordinal < Math.min(indexes.length, block.size()); ordinal++) {
            int index = indexes[ordinal];
            if (index >= 0 && index < attributes.size()) {
                allocations.add(new Allocation(
                        block.address(ordinal), block, attributes.get(index), block.sequenceOf(ordinal)));
            }
        }
    }

    boolean inUse(Allocation allocation) {
        return users.containsKey(allocation.address());
    }

    List<Allocation> leaked() {
        return allocations.stream()
                .filter(allocation -> !allocation.excused() && !inUse(allocation))
                .toList();
    }

    List<Address> usedOutsidePools() {
        return users.keySet().stream().filter(address -> !inActivePool(address)).toList();
    }

    List<Address> usedUnallocated() {
        var allocated = allocations.stream().map(Allocation::address).collect(Collectors.toSet());
        return users.keySet().stream()
                .filter(address -> inActivePool(address) && !allocated.contains(address))
                .toList();
    }

    private boolean inActivePool(Address address) {
        return activePools.stream().anyMatch(pool -> pool.cidr().contains(address));
    }

    List<StoredHandle> leakedHandles() {
        var used = usedHandles();
        return handles.stream().filter(handle -> !used.contains(handle.id())).toList();
    }

    /// Handles that blocks mention and the store does not have.
    Set<String> missingHandles() {
        var missing = usedHandles();
        handles.forEach(handle -> missing.remove(handle.id()));
        return missing;
    }

    private Set<String> usedHandles() {
        return allocations.stream()
                .filter(allocation -> !allocation.excused())
                .map(Allocation::handle)
                .filter(handle -> !handle.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// The nodes by their number of addresses, largest first.
    List<NodeCount> nodes() {
        var counts = new TreeMap<String, Integer>();
        allocations.forEach(allocation -> counts.merge(allocation.node(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> new NodeCount(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(NodeCount::count).reversed())
                .toList();
    }

    static List<NodeCount> top(List<NodeCount> nodes) {
        return nodes.subList(0, Math.min(nodes.size(), NODES_MAX));
    }

    List<InvalidBlock> invalidBlocks() {
        return blocks.stream()
                .flatMap(block ->
                        block.faults(now).stream().limit(1).map(fault -> new InvalidBlock(block.cidr(), fault)))
                .toList();
    }
}
