package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockOwners;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.OwnerRequest;
import io.cadastre.engine.block.OwnerUpdate;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.release.BlockReleases;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Takes back the addresses of one interface.
///
/// Calico takes back all that the handle holds. Here an address that belongs to another interface stays:
/// the container may still use it, and it would otherwise be given to another container.
final class DetachRequest {

    private static final OwnerRequest.Side CLEARED = OwnerRequest.Side.of(new OwnerUpdate.Clear());

    private final AttachmentId id;
    private final Instant now;
    private final List<BlockChange> changes = new ArrayList<>();
    private final List<Because> because = new ArrayList<>();
    private final List<Address> released = new ArrayList<>();
    private BlockView view;

    private DetachRequest(BlockView view, AttachmentId id, Instant now) {
        this.view = view;
        this.id = id;
        this.now = now;
    }

    /// @param handles by which it may have been given them
    static Decision<BlockChange, ReleaseResult> decide(
            BlockView view, AttachmentId id, List<String> handles, Instant now) {
        var leaving = new DetachRequest(view, id, now);
        for (var handle : handles) {
            var refusal = leaving.release(handle);
            if (refusal.isPresent()) {
                return leaving.decided(new ReleaseResult.Refused(refusal.get().sentence()));
            }
        }
        return leaving.decided(new ReleaseResult.Done(leaving.released));
    }

    /// Has a virtual machine's addresses forget the interface. They stay the machine's, which may start
    /// again in another container, unless it is being deleted and no other container has them.
    ///
    /// @param handles by which the container may have been given others
    static Decision<BlockChange, ReleaseResult> decide(
            BlockView view, MachineLeave leave, List<String> handles, Instant now) {
        var leaving = new DetachRequest(view, leave.id(), now);
        for (var handle : handles) {
            var refusal = leaving.release(handle);
            if (refusal.isPresent()) {
                return leaving.decided(new ReleaseResult.Refused(refusal.get().sentence()));
            }
        }
        for (var heldAddress : HeldAddress.of(leaving.view, leave.handle())) {
            var refusal = leaving.leave(heldAddress, leave);
            if (refusal.isPresent()) {
                return leaving.decided(new ReleaseResult.Refused(refusal.get().sentence()));
            }
        }
        return leaving.decided(new ReleaseResult.Done(leaving.released));
    }

    /// An interface that leaves an address of a virtual machine.
    ///
    /// @param handle the machine's
    /// @param pod which pod it is of, for addresses that do not say for which interface they are
    /// @param forGood whether the machine will not come back
    record MachineLeave(AttachmentId id, String handle, Expectation.Pod pod, boolean forGood) {

        private boolean isOwner(SortedMap<String, String> owner) {
            return AttachmentId.find(owner)
                    .map(id::equals)
                    .orElseGet(() -> !pod.name().isEmpty() && pod.holds(owner));
        }
    }

    private Optional<BlockRefusal> leave(HeldAddress heldAddress, MachineLeave leave) {
        var held = heldAddress.held();
        boolean active = leave.isOwner(held.owner());
        boolean alternate = leave.isOwner(held.alternate());
        boolean unused = (active || held.owner().isEmpty())
                && (alternate || held.alternate().isEmpty());
        if (unused && leave.forGood()) {
            return release(List.of(heldAddress), leave.handle());
        }
        if (active || alternate) {
            // Where its pool is gone, the attributes of an address cannot be changed. It then stays the
            // machine's, and the leak collector sees that the pod is gone.
            note(BlockOwners.set(
                    view,
                    new OwnerRequest(
                            heldAddress.address(),
                            leave.handle(),
                            active ? CLEARED : OwnerRequest.Side.KEEP,
                            alternate ? CLEARED : OwnerRequest.Side.KEEP,
                            now)));
        }
        return Optional.empty();
    }

    private Decision<BlockChange, ReleaseResult> decided(ReleaseResult outcome) {
        return new Decision<>(outcome, changes, because);
    }

    private Optional<BlockRefusal> release(String handle) {
        var held = HeldAddress.of(view, handle);
        if (held.stream().noneMatch(heldAddress -> heldAddress.isForAnotherThan(id))) {
            return releaseAll(handle);
        }
        var own = held.stream()
                .filter(heldAddress -> !heldAddress.isForAnotherThan(id))
                .toList();
        return own.isEmpty() ? Optional.empty() : release(own, handle);
    }

    private Optional<BlockRefusal> releaseAll(String handle) {
        var decision = BlockReleases.releaseByHandle(view, handle, now);
        note(decision);
        released.addAll(decision.outcome().released());
        return switch (decision.outcome()) {
            case HandleRelease.Done _ -> Optional.empty();
            case HandleRelease.Refused(var _, BlockRefusal.NotThere _) -> Optional.empty();
            case HandleRelease.Refused(var _, var refusal) -> Optional.of(refusal);
        };
    }

    private Optional<BlockRefusal> release(List<HeldAddress> own, String handle) {
        var options = own.stream()
                .map(heldAddress -> ReleaseOption.of(heldAddress.address().toString())
                        .withHandle(handle)
                        .withSequence(heldAddress.sequence()))
                .toList();
        var decision = BlockReleases.release(view, options, now);
        note(decision);
        return switch (decision.outcome()) {
            case Release.Done _ -> {
                own.forEach(heldAddress -> released.add(heldAddress.address()));
                yield Optional.empty();
            }
            case Release.Stopped(var _, var _, var refusal) -> Optional.of(refusal);
        };
    }

    private void note(Decision<BlockChange, ?> decision) {
        changes.addAll(decision.changes());
        because.addAll(decision.because());
        for (var change : decision.changes()) {
            view = view.with(change);
        }
    }
}
