package io.cadastre.engine.block.release;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockReason.NotHeld;
import io.cadastre.engine.block.BlockReason.Released;
import io.cadastre.engine.block.BlockReason.TakenBefore;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.Freeing;
import io.cadastre.engine.block.Handles;
import io.cadastre.engine.block.assign.PoolSelection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Takes addresses back, one by one or all of a handle.
public final class BlockReleases {

    /// How many addresses of a block are released at once.
    private static final int STEP_ADDRESSES_MAX = 64;

    private BlockReleases() {}

    /// Takes back these addresses. Each block's are taken back together or not at all.
    public static Decision<BlockChange, Release> release(
            BlockView view, List<ReleaseOption> options, Attempts<Release> attempts) {
        var earlier = attempts.earlier();
        var draft = new Draft(view, attempts.now());
        for (var lost : earlier.reversed()) {
            var releases = ReleaseAttempt.in(lost);
            boolean served = lost.extent() == Decision.Extent.WHOLE
                    && !releases.isEmpty()
                    && releases.stream().allMatch(attempt -> attempt.applied(view));
            if (served) {
                releases.forEach(attempt -> draft.explain(new TakenBefore(attempt.address())));
                return draft.decided(lost.outcome());
            }
        }
        var attempted =
                earlier.stream().flatMap(it -> ReleaseAttempt.in(it).stream()).toList();
        return draft.decided(releaseInto(draft, options, attempted));
    }

    public static Release releaseInto(Draft draft, List<ReleaseOption> options, List<ReleaseAttempt> attempted) {
        var batches = new LinkedHashMap<Prefix, Batch>();
        var unallocated = new LinkedHashSet<Address>();
        var addresses = new ArrayList<Address>();
        var released = new ArrayList<ReleaseOption>();
        for (var option : options) {
            var address = parse(option.address());
            if (address.isEmpty()) {
                return new Release.Stopped(
                        List.of(),
                        List.of(),
                        new BlockRefusal.Because(
                                option.address().isEmpty()
                                        ? "No IP address specified in options: " + option
                                        : "failed to parse IP: " + option.address()));
            }
            addresses.add(address.get());
        }
        var attempts = attempted.stream()
                .collect(Collectors.groupingBy(ReleaseAttempt::address, TreeMap::new, Collectors.toList()));
        for (int index = 0; index < options.size(); index++) {
            var address = addresses.get(index);
            var cidr = blockOf(draft.view(), address);
            boolean taken = attempts.getOrDefault(address, List.of()).stream()
                    .anyMatch(attempt -> attempt.applied(draft.view()));
            if (taken) {
                draft.explain(new TakenBefore(address));
                released.add(options.get(index));
            } else if (cidr.isEmpty()) {
                draft.explain(new NotHeld(address));
                unallocated.add(address);
            } else {
                batches.computeIfAbsent(cidr.get(), _ -> new Batch()).add(address, options.get(index));
            }
        }
        return releaseAll(draft, batches, unallocated, released);
    }

    private static Release releaseAll(
            Draft draft, Map<Prefix, Batch> batches, Set<Address> unallocated, List<ReleaseOption> released) {
        Optional<BlockRefusal> first = Optional.empty();
        draft.lookAtUsed(batches.keySet());
        draft.lookAtHandles(handles(draft.view(), batches));
        for (var batch : batches.entrySet()) {
            var refusal = releaseIn(draft, batch.getKey(), batch.getValue(), unallocated);
            if (refusal.isEmpty()) {
                released.addAll(batch.getValue().options);
            } else if (first.isEmpty()) {
                first = refusal;
            }
            draft.seam();
        }
        var free = List.copyOf(unallocated);
        return first.<Release>map(refusal -> new Release.Stopped(free, released, refusal))
                .orElseGet(() -> new Release.Done(free, released));
    }

    /// The handles of the addresses that are to be released, as far as their blocks name them.
    private static Set<String> handles(BlockView view, Map<Prefix, Batch> batches) {
        var handles = new LinkedHashSet<String>();
        for (var batch : batches.entrySet()) {
            var found = view.findBlock(batch.getKey()).filter(block -> !block.damaged());
            for (var address : batch.getValue().byAddress.keySet()) {
                found.flatMap(block -> block.attribute(block.ordinal(address).orElseThrow()))
                        .filter(Held.class::isInstance)
                        .map(attribute -> ((Held) attribute).cleanHandle())
                        .filter(handle -> !handle.isEmpty())
                        .ifPresent(handles::add);
            }
        }
        return handles;
    }

    /// What is to be released in one block.
    private static final class Batch {

        private final List<ReleaseOption> options = new ArrayList<>();

        /// Of several options for one address the last counts.
        private final TreeMap<Address, ReleaseOption> byAddress = new TreeMap<>();

        void add(Address address, ReleaseOption option) {
            options.add(option);
            byAddress.put(address, option.clean());
        }
    }

    private static Optional<Address> parse(String text) {
        try {
            var address = Address.parse(text);
            return Optional.of(address.ipv4Mapped() ? Address.ipv4((int) address.low()) : address);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /// The block that the address is in or would be in. Pools that give nothing any more count too,
    /// and where no pool is left, the block itself.
    private static Optional<Prefix> blockOf(BlockView view, Address address) {
        return PoolSelection.anyAround(view, address)
                .map(pool -> pool.block(address))
                .or(() -> view.findBlockAround(address).map(Block::cidr));
    }

    private static Optional<BlockRefusal> releaseIn(Draft draft, Prefix cidr, Batch batch, Set<Address> unallocated) {
        var found = draft.view().findBlock(cidr);
        if (found.isEmpty()) {
            batch.byAddress.keySet().forEach(address -> draft.explain(new NotHeld(address)));
            unallocated.addAll(batch.byAddress.keySet());
            return Optional.empty();
        }
        var stored = found.get();
        if (stored.damaged()) {
            return Optional.of(draft.damaged(stored));
        }
        var items = new TreeMap<Integer, ReleaseOption>();
        batch.byAddress.forEach(
                (address, option) -> items.put(stored.ordinal(address).orElseThrow(), option));
        return items.size() <= STEP_ADDRESSES_MAX
                ? releaseItems(draft, stored, items, unallocated)
                : releaseInSteps(draft, stored, items, unallocated);
    }

    /// Releases more addresses of a block than one step may, in several steps: each may have a handle
    /// of its own. If one must not be released, none is.
    private static Optional<BlockRefusal> releaseInSteps(
            Draft draft, Block whole, SortedMap<Integer, ReleaseOption> items, Set<Address> unallocated) {
        var trial = new Draft(draft.view(), draft.now());
        var refusal = releaseItems(trial, whole, items, new LinkedHashSet<>());
        if (refusal.isPresent()) {
            return refusal;
        }
        var rest = new TreeMap<>(items);
        // Ends: each round takes some of what is left.
        while (!rest.isEmpty()) {
            var lot = new TreeMap<Integer, ReleaseOption>();
            while (lot.size() < STEP_ADDRESSES_MAX && !rest.isEmpty()) {
                var item = rest.pollFirstEntry();
                lot.put(item.getKey(), item.getValue());
            }
            var stored = draft.view().findBlock(whole.cidr());
            if (stored.isEmpty()) {
                // The block was deleted with its last held address.
                lot.keySet().forEach(ordinal -> unallocated.add(whole.address(ordinal)));
            } else {
                var late = releaseItems(draft, stored.get(), lot, unallocated);
                if (late.isPresent()) {
                    return late;
                }
            }
            draft.seam();
        }
        return Optional.empty();
    }

    private static Optional<BlockRefusal> releaseItems(
            Draft draft, Block stored, SortedMap<Integer, ReleaseOption> items, Set<Address> unallocated) {
        var cidr = stored.cidr();
        var block = draft.normalised(stored);
        return switch (block.release(items, draft.view().config().cooldownSeconds(), draft.now())) {
            case Freeing.BadSequence(var address, var given, var expected) ->
                Optional.of(new BlockRefusal.Conflict(
                        address.toString(),
                        "the given sequence number (%s) does not match (%s) when attempting to release IP"
                                .formatted(number(given), Long.toUnsignedString(expected))));
            case Freeing.BadHandle(var address, var given, var expected) ->
                Optional.of(new BlockRefusal.Conflict(
                        address.toString(),
                        "the given handle (%s) does not match (%s) when attempting to release IP"
                                .formatted(given, expected)));
            case Freeing.Freed freed -> {
                freed.free().forEach(address -> draft.explain(new NotHeld(address)));
                unallocated.addAll(freed.free());
                if (!freed.taken().isEmpty()) {
                    draft.lookAtHandles(freed.counts().keySet());
                    explain(draft, block, freed);
                    draft.updateOrDrop(stored, freed.after());
                    freed.counts().forEach((id, count) -> Handles.decrement(draft, id, cidr, count));
                    BlockGiveUp.ifDeselected(draft, freed.after());
                }
                yield Optional.empty();
            }
        };
    }

    private static String number(SequenceCheck given) {
        return switch (given) {
            case SequenceCheck.Any _ -> "<nil>";
            case SequenceCheck.Exactly(var number) -> Long.toUnsignedString(number);
        };
    }

    private static void explain(Draft draft, Block before, Freeing.Freed freed) {
        for (var address : freed.taken()) {
            int ordinal = before.ordinal(address).orElseThrow();
            var handle = before.attribute(ordinal).orElseThrow() instanceof Held held ? held.cleanHandle() : "";
            draft.explain(new Released(address, handle));
        }
    }

    /// Takes back all that a handle holds.
    public static Decision<BlockChange, HandleRelease> releaseByHandle(
            BlockView view, String handle, Attempts<HandleRelease> attempts) {
        var earlier = attempts.earlier();
        var taken = ReleaseAttempt.takenIn(attempts);
        var draft = new Draft(view, attempts.now());
        var id = Attribute.clean(handle);
        draft.lookAtAll(List.of(known -> known.findHandle(id), BlockView::config));
        var found = view.findHandle(id);
        if (found.isEmpty() && !earlier.isEmpty()) {
            var last = earlier.getLast();
            ReleaseAttempt.in(last).forEach(attempt -> draft.explain(new TakenBefore(attempt.address())));
            // After a part was saved, another process may have released the rest.
            return draft.decided(
                    last.extent() == Decision.Extent.WHOLE ? last.outcome() : new HandleRelease.Done(taken));
        }
        if (found.isEmpty()) {
            return draft.decided(new HandleRelease.Refused(List.of(), BlockRefusal.NotThere.handle(id)));
        }
        var attempted = earlier.stream()
                .flatMap(decision -> ReleaseAttempt.in(decision).stream())
                .toList();
        var blocks = new LinkedHashSet<>(found.get().counts().keySet());
        attempted.forEach(attempt -> blocks.add(attempt.block()));
        draft.lookAt(blocks);
        var before = new LinkedHashSet<>(taken);
        for (var attempt : attempted) {
            if (attempt.applied(draft.view()) && before.add(attempt.address())) {
                draft.explain(new TakenBefore(attempt.address()));
            }
        }
        var released = new ArrayList<>(before);
        for (var cidr : found.get().counts().keySet()) {
            var refusal = releaseIn(draft, cidr, id, released);
            if (refusal.isPresent()) {
                return draft.decided(new HandleRelease.Refused(released, refusal.get()));
            }
            draft.seam();
        }
        return draft.decided(new HandleRelease.Done(released));
    }

    private static Optional<BlockRefusal> releaseIn(Draft draft, Prefix cidr, String id, List<Address> released) {
        var found = draft.view().findBlock(cidr);
        if (found.isPresent()) {
            var stored = found.get();
            if (stored.damaged()) {
                return Optional.of(draft.damaged(stored));
            }
            var block = draft.normalised(stored);
            int cooldown = draft.view().config().cooldownSeconds();
            var freed = block.releaseByHandle(id, new SequenceCheck.Any(), cooldown, draft.now());
            if (!freed.taken().isEmpty()) {
                explain(draft, block, freed);
                released.addAll(freed.taken());
                draft.updateOrDrop(stored, freed.after());
                int left = freed.after().countIgnoringCase(id);
                draft.view().findHandle(id).ifPresent(handle -> Handles.put(draft, handle.withCount(cidr, left)));
                BlockGiveUp.ifDeselected(draft, freed.after());
                return Optional.empty();
            }
        }
        // Calico leaves an entry without addresses behind, and with it the handle.
        draft.view()
                .findHandle(id)
                .filter(handle -> handle.count(cidr) > 0)
                .ifPresent(handle -> Handles.mendIn(draft, handle, id, cidr));
        return Optional.empty();
    }
}
