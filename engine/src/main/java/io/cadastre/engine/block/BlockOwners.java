package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockRefusal.NotThere;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.OwnerUpdate.Expectation.Pod;
import io.cadastre.engine.block.assign.PoolSelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Changes what is recorded about the user of a held address, for virtual machines that move.
final class BlockOwners {

    private BlockOwners() {}

    /// Changes what is recorded about the owners of one address. Calico changes it for all addresses that
    /// share the attribute; here the others keep theirs.
    public static Decision<BlockChange, OwnerChange> set(BlockView view, OwnerRequest request) {
        var draft = new Draft(view, request.now());
        return draft.decided(change(draft, request)
                .<OwnerChange>map(refusal -> new OwnerChange.Refused(List.of(), refusal))
                .orElseGet(() -> new OwnerChange.Done(List.of(request.address()))));
    }

    private static Optional<BlockRefusal> change(Draft draft, OwnerRequest request) {
        var address = request.address();
        var pool = PoolSelection.enabledAround(draft.view(), address);
        if (pool.isEmpty()) {
            return because("the provided IP address %s is not in a configured pool".formatted(address));
        }
        var cidr = pool.get().block(address);
        var found = draft.view().findBlock(cidr);
        if (found.isEmpty()) {
            return Optional.of(NotThere.block(cidr));
        }
        var stored = found.get();
        if (stored.damaged()) {
            return Optional.of(draft.damaged(stored));
        }
        var block = draft.normalised(stored);
        int ordinal = block.ordinal(address).orElseThrow();
        if (!(block.attribute(ordinal).orElse(null) instanceof Held held)) {
            return Optional.of(new NotThere(address.toString(), "IP is unassigned"));
        }
        if (!held.cleanHandle().equals(Attribute.clean(request.handle()))) {
            return because("IP %s is not assigned to handle %s".formatted(address, request.handle()));
        }
        var changed = held.withOwner(updated(request.active(), held.owner()))
                .withAlternate(updated(request.alternate(), held.alternate()));
        var conflict = conflict(address, "ActiveOwnerAttrs", request.active(), held.owner())
                .or(() -> conflict(address, "AlternateOwnerAttrs", request.alternate(), held.alternate()));
        if (conflict.isPresent()) {
            // What is asked for may be so already, by a first attempt whose answer was lost.
            return changed.equals(held) ? Optional.empty() : conflict;
        }
        draft.update(stored, changed.equals(held) ? block : block.withAttribute(ordinal, changed));
        return Optional.empty();
    }

    private static Optional<BlockRefusal> conflict(
            Address address, String field, OwnerRequest.Side side, SortedMap<String, String> current) {
        if (side.update() instanceof OwnerUpdate.Keep || side.expectation().holds(current)) {
            return Optional.empty();
        }
        var expected = side.expectation() instanceof Pod pod ? pod : new Pod("", "");
        var actual = Pod.of(current);
        return Optional.of(new BlockRefusal.Conflict(
                address.toString(),
                "cannot set %s: expected pod=%s namespace=%s but found pod=%s namespace=%s"
                        .formatted(field, expected.name(), expected.namespace(), actual.name(), actual.namespace())));
    }

    private static SortedMap<String, String> updated(OwnerRequest.Side side, SortedMap<String, String> current) {
        return switch (side.update()) {
            case OwnerUpdate.Keep _ -> current;
            case OwnerUpdate.Clear _ -> Collections.emptySortedMap();
            case OwnerUpdate.Set(var attributes) -> attributes;
        };
    }

    /// Makes the target of a migration the active owner of all addresses of a virtual machine, and the
    /// former active owner the alternate.
    ///
    /// @param handle the virtual machine's
    public static Decision<BlockChange, OwnerChange> swap(BlockView view, String handle, Pod target, Instant now) {
        var draft = new Draft(view, now);
        var found = view.findHandle(handle);
        if (found.isEmpty()) {
            return draft.decided(refused(
                    List.of(),
                    "failed to get IPs for handle %s: %s"
                            .formatted(handle, NotThere.handle(handle).sentence())));
        }
        var addresses = Handles.addresses(view, found.get(), handle);
        if (addresses.isEmpty()) {
            return draft.decided(refused(List.of(), "no IPs found for handle %s".formatted(handle)));
        }
        var swapped = new ArrayList<Address>();
        Optional<BlockRefusal> last = Optional.empty();
        for (var address : addresses) {
            var held = held(draft.view(), address);
            if (!target.holds(held.owner())) {
                var mismatch = mismatch(address, held.alternate(), target);
                if (mismatch.isPresent()) {
                    return draft.decided(new OwnerChange.Refused(swapped, mismatch.get()));
                }
                var refusal = change(draft, swapOf(address, handle, held, now));
                if (refusal.isPresent()) {
                    last = refusal;
                    continue;
                }
            }
            swapped.add(address);
        }
        return draft.decided(last.<OwnerChange>map(refusal -> new OwnerChange.Refused(swapped, refusal))
                .orElseGet(() -> new OwnerChange.Done(swapped)));
    }

    private static OwnerRequest swapOf(Address address, String handle, Held held, Instant now) {
        OwnerUpdate former = held.owner().isEmpty() ? new OwnerUpdate.Clear() : new OwnerUpdate.Set(held.owner());
        return new OwnerRequest(
                address,
                handle,
                OwnerRequest.Side.of(new OwnerUpdate.Set(held.alternate())).expecting(expectation(held.owner())),
                OwnerRequest.Side.of(former).expecting(expectation(held.alternate())),
                now);
    }

    private static Expectation expectation(SortedMap<String, String> attributes) {
        return attributes.isEmpty() ? new Expectation.NoOwner() : Pod.of(attributes);
    }

    private static Held held(BlockView view, Address address) {
        return blockOf(view, address)
                .flatMap(block -> block.attribute(block.ordinal(address).orElseThrow()))
                .map(Held.class::cast)
                .orElseThrow();
    }

    private static Optional<Block> blockOf(BlockView view, Address address) {
        return PoolSelection.anyAround(view, address)
                .flatMap(pool -> view.findBlock(pool.block(address)))
                .or(() -> view.findBlockAround(address));
    }

    private static Optional<BlockRefusal> mismatch(Address address, SortedMap<String, String> alternate, Pod target) {
        if (alternate.isEmpty()) {
            return because("AlternateOwnerAttrs is empty for IP %s".formatted(address));
        }
        var actual = Pod.of(alternate);
        return actual.equals(target)
                ? Optional.empty()
                : because(
                        "AlternateOwnerAttrs doesn't match expected target owner: expected &{%s %s}, got namespace=%s pod=%s for IP %s"
                                .formatted(
                                        target.namespace(), target.name(), actual.namespace(), actual.name(), address));
    }

    private static OwnerChange refused(List<Address> changed, String sentence) {
        return new OwnerChange.Refused(changed, new BlockRefusal.Because(sentence));
    }

    private static Optional<BlockRefusal> because(String sentence) {
        return Optional.of(new BlockRefusal.Because(sentence));
    }
}
