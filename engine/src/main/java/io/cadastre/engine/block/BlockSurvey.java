package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockChange.CreateBlock;
import io.cadastre.engine.block.BlockChange.PutBlock;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Attempt;
import io.cadastre.engine.block.assign.FamilyAssignment;
import io.cadastre.engine.block.selector.SelectorText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Checks what must always be true of this law's state, after any change of any decision.
///
/// The checks are written apart from the law: they look at documents and know nothing of how a
/// decision comes about.
public final class BlockSurvey {

    private BlockSurvey() {}

    /// What is wrong.
    public record Violation(Invariant invariant, String sentence) {}

    /// What must be true.
    public enum Invariant {
        /// No address has two live owners.
        ONE_OWNER,
        /// A handle counts at least what the blocks say it holds.
        HANDLES_COVER_BLOCKS,
        /// In a block, what is free and what is not are a partition.
        PARTITION,
        /// Blocks do not overlap.
        BLOCKS_DISJOINT,
        /// A block has one confirmed affinity at most, and that of its owner.
        ONE_AFFINITY,
        /// Strict affinity, selectors, uses and limits bind every request that does not name an
        /// address.
        RULES_HOLD,
        /// A pool that is not enabled gives nothing.
        DISABLED_GIVES_NOTHING,
        /// A reserved address is assigned only to a request that names it.
        RESERVED_STAYS
    }

    /// What is wrong with the state, of which everything must be known.
    public static List<Violation> of(BlockView view) {
        var violations = new ArrayList<Violation>();
        var references = new TreeMap<String, Map<Prefix, Integer>>();
        for (var family : Family.values()) {
            var blocks = new ArrayList<>(view.blocks(family));
            blocks.sort(Comparator.comparing(Block::cidr));
            for (int index = 0; index < blocks.size(); index++) {
                var block = blocks.get(index);
                checkPartition(block, violations);
                count(block, references);
                if (index > 0 && blocks.get(index - 1).cidr().overlaps(block.cidr())) {
                    violations.add(new Violation(
                            Invariant.BLOCKS_DISJOINT,
                            "blocks %s and %s overlap"
                                    .formatted(blocks.get(index - 1).cidr(), block.cidr())));
                }
            }
        }
        checkHandles(view, references, violations);
        checkAffinities(view, violations);
        return List.copyOf(violations);
    }

    private static void checkPartition(Block block, List<Violation> violations) {
        int taken = 0;
        for (int index : block.allocations()) {
            taken += index == Block.FREE ? 0 : 1;
        }
        if (block.damaged() || taken + block.freeCount() != block.size()) {
            violations.add(new Violation(
                    Invariant.PARTITION,
                    "in block %s, %d are taken and %d are free of %d"
                            .formatted(block.cidr(), taken, block.freeCount(), block.size())));
        }
    }

    /// What a host reserves was never given, so it has no sequence number and no handle.
    private static void count(Block block, Map<String, Map<Prefix, Integer>> references) {
        if (block.damaged()) {
            return;
        }
        for (int ordinal : block.sequences().keySet()) {
            if (block.attribute(ordinal).orElse(null) instanceof Held held
                    && !held.cleanHandle().isEmpty()) {
                references
                        .computeIfAbsent(held.cleanHandle(), _ -> new TreeMap<>())
                        .merge(block.cidr(), 1, Integer::sum);
            }
        }
    }

    /// Handles that differ in the case of letters only are one document in some stores.
    private static void checkHandles(
            BlockView view, Map<String, Map<Prefix, Integer>> references, List<Violation> violations) {
        var exact = new TreeMap<String, Handle>();
        var lowerCase = new TreeMap<String, Handle>();
        for (var handle : view.handles()) {
            exact.put(handle.id(), handle);
            lowerCase.put(handle.id().toLowerCase(Locale.ROOT), handle);
        }
        references.forEach((id, counts) -> {
            var handle = exact.getOrDefault(id, lowerCase.getOrDefault(id.toLowerCase(Locale.ROOT), Handle.empty(id)));
            counts.forEach((cidr, count) -> {
                if (handle.count(cidr) < count) {
                    violations.add(new Violation(
                            Invariant.HANDLES_COVER_BLOCKS,
                            "handle %s counts %d in block %s, which gives it %d"
                                    .formatted(id, handle.count(cidr), cidr, count)));
                }
            });
        });
    }

    private static void checkAffinities(BlockView view, List<Violation> violations) {
        var confirmed = view.affinities().stream()
                .filter(Affinity::confirmed)
                .sorted(Comparator.comparing(Affinity::cidr))
                .toList();
        for (int index = 0; index < confirmed.size(); index++) {
            var affinity = confirmed.get(index);
            if (index > 0 && confirmed.get(index - 1).cidr().overlaps(affinity.cidr())) {
                violations.add(new Violation(
                        Invariant.ONE_AFFINITY,
                        "%s and %s both have %s confirmed"
                                .formatted(confirmed.get(index - 1).owner(), affinity.owner(), affinity.cidr())));
            }
            view.findBlock(affinity.cidr())
                    .flatMap(Block::owner)
                    .filter(owner -> !owner.equals(affinity.owner()))
                    .ifPresent(owner -> violations.add(new Violation(
                            Invariant.ONE_AFFINITY,
                            "%s has %s confirmed, which is %s's".formatted(affinity.owner(), affinity.cidr(), owner))));
        }
    }

    /// What is wrong with one change, given the state before it.
    public static List<Violation> ofChange(BlockView before, BlockChange change) {
        var violations = new ArrayList<Violation>();
        if (change instanceof CreateBlock create
                && before.findBlock(create.after().cidr()).isPresent()) {
            violations.add(new Violation(
                    Invariant.ONE_OWNER,
                    "block %s is created although it is there"
                            .formatted(create.after().cidr())));
        }
        if (change instanceof UpdateBlock(var seen, var after)) {
            if (before.findBlock(seen.cidr()).filter(seen::equals).isEmpty()) {
                violations.add(new Violation(
                        Invariant.ONE_OWNER,
                        "block %s is rewritten although it is not as it was seen".formatted(seen.cidr())));
            }
            for (int ordinal = 0; ordinal < seen.size(); ordinal++) {
                if (!seen.damaged()
                        && seen.attribute(ordinal).orElse(null) instanceof Held former
                        && after.attribute(ordinal).orElse(null) instanceof Held latter
                        && !former.handle().equals(latter.handle())) {
                    violations.add(new Violation(
                            Invariant.ONE_OWNER,
                            "%s of handle '%s' is given to handle '%s'"
                                    .formatted(seen.address(ordinal), former.handle(), latter.handle())));
                }
            }
        }
        return List.copyOf(violations);
    }

    /// What is wrong with what a decision assigns to a request that does not name an address.
    public static List<Violation> ofAssignment(
            BlockView before, AssignRequest request, Decision<BlockChange, Assignment> decision) {
        var violations = new ArrayList<Violation>();
        var after = before;
        for (var change : decision.changes()) {
            if (change instanceof PutBlock put) {
                var alone = new Decision<BlockChange, String>("", List.of(put), List.of());
                for (var grant : Attempt.of(alone).grants()) {
                    checkGiven(before, request, put.after(), grant.lease().address(), violations);
                }
            }
            after = after.with(change);
        }
        for (var family : Family.values()) {
            if (request.ask(family).count() > 0) {
                checkLimits(before, after, request, family, violations);
            }
        }
        return List.copyOf(violations);
    }

    private static void checkGiven(
            BlockView view, AssignRequest request, Block block, Address address, List<Violation> violations) {
        var pool = view.pools().stream()
                .filter(candidate -> candidate.cidr().contains(address))
                .filter(IpPool::enabled)
                .findFirst();
        if (pool.isEmpty()) {
            violations.add(new Violation(
                    Invariant.DISABLED_GIVES_NOTHING, "%s is given from no enabled pool".formatted(address)));
            return;
        }
        if (view.reservations().contains(address)) {
            violations.add(
                    new Violation(Invariant.RESERVED_STAYS, "%s is given although it is reserved".formatted(address)));
        }
        boolean borrowed = !block.ownedBy(request.owner());
        if (borrowed && view.config().strictAffinity()) {
            violations.add(new Violation(
                    Invariant.RULES_HOLD,
                    "%s is borrowed from %s although affinity is strict".formatted(address, block.cidr())));
        }
        if (!pool.get().allows(request.use()) || !selected(view, request, pool.get())) {
            violations.add(new Violation(
                    Invariant.RULES_HOLD,
                    "%s is given from pool %s, which is not for this request"
                            .formatted(address, pool.get().name())));
        }
    }

    private static boolean selected(BlockView view, AssignRequest request, IpPool pool) {
        var requested = request.ask(pool.family()).pools();
        if (!requested.isEmpty()) {
            return requested.contains(pool.cidr());
        }
        var labels = view.findNode(request.host()).map(Node::labels).orElseGet(Collections::emptySortedMap);
        return pool.assignmentMode() == IpPool.AssignmentMode.AUTOMATIC
                && pool.nodeSelector() instanceof SelectorText.Parsed(var _, var nodes)
                && nodes.matches(labels)
                && pool.namespaceSelector() instanceof SelectorText.Parsed(var _, var namespaces)
                && namespaces.matches(request.namespaceLabels());
    }

    private static void checkLimits(
            BlockView before, BlockView after, AssignRequest request, Family family, List<Violation> violations) {
        int owned = after.affinitiesOf(request.owner(), family).size();
        int ownedBefore = before.affinitiesOf(request.owner(), family).size();
        int configured = before.config().maxBlocksPerHost();
        int limit = configured == 0 ? FamilyAssignment.BLOCKS_PER_HOST_DEFAULT : configured;
        if (request.maxBlocksPerHost() > 0) {
            limit = configured == 0 ? request.maxBlocksPerHost() : Math.min(limit, request.maxBlocksPerHost());
        }
        if (request.ask(family).pools().isEmpty()
                && owned > ownedBefore
                && ownedInUsablePools(after, request, family) > limit) {
            violations.add(new Violation(
                    Invariant.RULES_HOLD, "%s has %d blocks, more than %d".formatted(request.owner(), owned, limit)));
        }
        var handle = request.requester().handle();
        int count = after.findHandle(handle).map(h -> h.total(family)).orElse(0);
        int countBefore = before.findHandle(handle).map(h -> h.total(family)).orElse(0);
        if (request.maxPerHandle() > 0 && count > Math.max(request.maxPerHandle(), countBefore)) {
            violations.add(new Violation(
                    Invariant.RULES_HOLD,
                    "handle %s has %d addresses, more than %d".formatted(handle, count, request.maxPerHandle())));
        }
    }

    private static long ownedInUsablePools(BlockView view, AssignRequest request, Family family) {
        return view.affinitiesOf(request.owner(), family).stream()
                .filter(affinity -> view.pools().stream()
                        .anyMatch(pool -> pool.enabled()
                                && pool.allows(request.use())
                                && selected(view, request, pool)
                                && pool.cidr().contains(affinity.cidr())))
                .count();
    }
}
