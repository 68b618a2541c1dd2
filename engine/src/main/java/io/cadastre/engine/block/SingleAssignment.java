package io.cadastre.engine.block;

import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockReason.GivenBefore;
import io.cadastre.engine.block.BlockReason.HandleHasEnough;
import io.cadastre.engine.block.BlockReason.TookFrom;

import java.util.List;
import java.util.Optional;

/// The assignment of one certain address.
///
/// Selectors, the mode of the pool, reservations and the limit of blocks bind those who take what
/// comes. Whoever names an address has made up his mind.
final class SingleAssignment {

    private final Draft draft;
    private final AssignAddressRequest request;
    private final Claimant claimant;

    SingleAssignment(Draft draft, AssignAddressRequest request) {
        this.draft = draft;
        this.request = request;
        this.claimant = request.claimant();
    }

    AddressAssignment run() {
        var before = draft.view();
        var served = Attempt.served(draft, request.attempted(), claimant);
        if (served.isPresent()) {
            return served.get();
        }
        var assignment = given();
        Attempt.bar(draft, before, request.attempted(), claimant);
        return assignment;
    }

    private AddressAssignment given() {
        var address = request.address();
        var pool = PoolChoice.enabledAround(draft.view(), address);
        if (pool.isEmpty()) {
            return refused("The provided IP address is not in a configured pool\n");
        }
        if (request.use() != Use.UNSTATED && !pool.get().allows(request.use())) {
            return refused(
                    "IP address %s is in IP pool \"%s\", which is not allowed for use \"%s\" (allowedUses: %s)"
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
        return take(Claims.created(draft, request.owner(), cidr, request.hostReserve()));
    }

    private AddressAssignment take(Block stored) {
        if (stored.damaged()) {
            return new AddressAssignment.Refused(draft.damaged(stored));
        }
        if (draft.view().config().strictAffinity() && !stored.ownedBy(request.owner())) {
            return refused(
                    stored.owner().isEmpty()
                            ? "Attempt to assign from block %s with no affinity"
                                    .formatted(stored.cidr())
                            : "Block host affinity does not match");
        }
        var block = draft.normalised(stored);
        int ordinal = block.ordinal(request.address()).orElseThrow();
        var lease = new Lease(request.address(), stored.cidr());
        var attribute = block.attribute(ordinal);
        if (attribute.isPresent()) {
            if (alreadyHis(attribute.get())) {
                draft.explain(new GivenBefore(lease));
                return new AddressAssignment.Assigned(lease);
            }
            return new AddressAssignment.Refused(
                    new BlockRefusal.AlreadyAssigned(request.address()));
        }
        var cap = capReached();
        if (cap.isPresent()) {
            return cap.get();
        }
        if (claimant.hasHandle()) {
            boolean triedBefore =
                    request.attempted().stream()
                            .flatMap(attempt -> attempt.grants().stream())
                            .anyMatch(grant -> grant.lease().equals(lease));
            if (triedBefore) {
                Handles.incrementOnce(draft, claimant.handle(), block, 1);
            } else {
                Handles.increment(draft, claimant.handle(), stored.cidr(), 1);
            }
        }
        var current = draft.view().findBlock(stored.cidr()).orElseThrow();
        draft.update(current, draft.normalised(current).take(ordinal, claimant));
        draft.explain(
                new TookFrom(
                        stored.cidr(), stored.owner().map(Owner::toString).orElse("nobody"), 1));
        return new AddressAssignment.Assigned(lease);
    }

    private boolean alreadyHis(Attribute attribute) {
        return request.maxPerHandle() > 0
                && attribute instanceof Held held
                && claimant.hasHandle()
                && held.cleanHandle().equals(Attribute.clean(claimant.handle()));
    }

    /// The answer if the handle has as much as it may have.
    private Optional<AddressAssignment> capReached() {
        int max = request.maxPerHandle();
        if (max == 0 || !claimant.hasHandle()) {
            return Optional.empty();
        }
        var id = claimant.handle();
        if (counted(id) + 1 <= max) {
            return Optional.empty();
        }
        draft.view().findHandle(id).ifPresent(handle -> Handles.mend(draft, handle, id));
        if (counted(id) + 1 <= max) {
            return Optional.empty();
        }
        var held =
                draft.view()
                        .findHandle(id)
                        .map(
                                handle ->
                                        Handles.addresses(
                                                draft.view(),
                                                handle,
                                                id,
                                                request.address().family()))
                        .orElse(List.of());
        if (held.contains(request.address())) {
            draft.explain(new HandleHasEnough(id, max));
            return Optional.of(new AddressAssignment.Assigned(Lease.alone(request.address())));
        }
        return Optional.of(
                refused(
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
