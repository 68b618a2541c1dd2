package io.cadastre.engine.block.assign;

import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockReason.GivenBefore;
import io.cadastre.engine.block.BlockReason.HandleHasEnough;
import io.cadastre.engine.block.BlockReason.TookFrom;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.Handles;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import java.util.List;
import java.util.Optional;

/// The assignment of one certain address.
///
/// Selectors, the mode of the pool, reservations and the limit of blocks bind requests that do not name
/// an address. A request that names one is not bound by them.
public final class SingleAssignment {

    private final Draft draft;
    private final AssignAddressRequest request;
    private final Requester requester;

    public SingleAssignment(Draft draft, AssignAddressRequest request) {
        this.draft = draft;
        this.request = request;
        this.requester = request.requester();
    }

    public AddressAssignment run() {
        var before = draft.view();
        var served = Attempt.served(draft, request.attempted(), requester);
        if (served.isPresent()) {
            return served.get();
        }
        var assignment = given();
        Attempt.bar(draft, before, request.attempted(), requester);
        return assignment;
    }

    private AddressAssignment given() {
        var address = request.address();
        draft.lookAtAll(List.of(BlockView::pools, BlockView::config, requester::findHandle));
        var pool = PoolSelection.enabledAround(draft.view(), address);
        if (pool.isEmpty()) {
            return refused("The provided IP address is not in a configured pool\n");
        }
        if (request.use() != AddressUse.UNSTATED && !pool.get().allows(request.use())) {
            return refused("IP address %s is in IP pool \"%s\", which is not allowed for use \"%s\" (allowedUses: %s)"
                    .formatted(
                            address,
                            pool.get().name(),
                            request.use(),
                            pool.get().allowedUses().toString().replace(",", "")));
        }
        var cidr = pool.get().block(address);
        var found = draft.view().findBlock(cidr);
        if (found.isPresent()) {
            return take(found.get());
        }
        var cap = capReached();
        if (cap.isPresent()) {
            return cap.get();
        }
        if (draft.view().findKnownRival(cidr).isPresent()) {
            return refused("another block overlaps %s".formatted(cidr));
        }
        if (request.hostReserve() instanceof HostReserve.Ends ends
                && ends.count() > 1 << (cidr.family().bits() - cidr.length())) {
            return refused("HostReservedAttr has wrong parameters");
        }
        return take(BlockClaims.created(draft, request.owner(), cidr, request.hostReserve()));
    }

    private AddressAssignment take(Block stored) {
        if (stored.damaged()) {
            return new AddressAssignment.Refused(draft.damaged(stored));
        }
        if (draft.view().config().strictAffinity() && !stored.ownedBy(request.owner())) {
            return refused(
                    stored.owner().isEmpty()
                            ? "Attempt to assign from block %s with no affinity".formatted(stored.cidr())
                            : "Block host affinity does not match");
        }
        var block = draft.normalised(stored);
        int ordinal = block.ordinal(request.address()).orElseThrow();
        var lease = new AssignedAddress(request.address(), stored.cidr());
        var attribute = block.attribute(ordinal);
        if (attribute.isPresent()) {
            if (alreadyHeld(attribute.get())) {
                draft.explain(new GivenBefore(lease));
                return new AddressAssignment.Assigned(lease);
            }
            return new AddressAssignment.Refused(new BlockRefusal.AlreadyAssigned(request.address()));
        }
        var cap = capReached();
        if (cap.isPresent()) {
            return cap.get();
        }
        if (requester.hasHandle()) {
            boolean triedBefore = request.attempted().stream()
                    .flatMap(attempt -> attempt.grants().stream())
                    .anyMatch(grant -> grant.lease().equals(lease));
            if (triedBefore) {
                Handles.incrementOnce(draft, requester.handle(), block, 1);
            } else {
                Handles.increment(draft, requester.handle(), stored.cidr(), 1);
            }
        }
        var current = draft.view().findBlock(stored.cidr()).orElseThrow();
        draft.update(current, draft.normalised(current).take(ordinal, requester));
        draft.explain(
                new TookFrom(stored.cidr(), stored.owner().map(Owner::toString).orElse("no owner"), 1));
        return new AddressAssignment.Assigned(lease);
    }

    private boolean alreadyHeld(Attribute attribute) {
        return request.maxPerHandle() > 0
                && attribute instanceof Held held
                && requester.hasHandle()
                && held.cleanHandle().equals(Attribute.clean(requester.handle()));
    }

    /// The answer if the handle has as much as it may have.
    private Optional<AddressAssignment> capReached() {
        int max = request.maxPerHandle();
        if (max == 0 || !requester.hasHandle()) {
            return Optional.empty();
        }
        var id = requester.handle();
        if (counted(id) + 1 <= max) {
            return Optional.empty();
        }
        draft.view().findHandle(id).ifPresent(handle -> Handles.mend(draft, handle, id));
        if (counted(id) + 1 <= max) {
            return Optional.empty();
        }
        var held = draft.view()
                .findHandle(id)
                .map(handle -> Handles.addresses(
                        draft.view(), handle, id, request.address().family()))
                .orElse(List.of());
        if (held.contains(request.address())) {
            draft.explain(new HandleHasEnough(id, max));
            return Optional.of(new AddressAssignment.Assigned(AssignedAddress.alone(request.address())));
        }
        return Optional.of(refused(
                "handle %s already has IP(s) allocated, cannot assign additional IP %s (maxAllocPerIPVersion=%d)"
                        .formatted(id, request.address(), max)));
    }

    private int counted(String id) {
        return draft.view()
                .findHandle(id)
                .map(handle -> handle.total(request.address().family()))
                .orElse(0);
    }

    private static AddressAssignment refused(String sentence) {
        return new AddressAssignment.Refused(new BlockRefusal.Because(sentence));
    }
}
