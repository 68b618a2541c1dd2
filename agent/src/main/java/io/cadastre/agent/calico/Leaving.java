package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockOwners;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.OwnerRequest;
import io.cadastre.engine.block.OwnerUpdate;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Takes back the addresses of one interface.
///
/// Calico takes back all that the handle holds. Here an address that says that it is for another
/// interface stays: the container may still use it, and it would be given to another.
final class Leaving {

    private static final OwnerRequest.Side CLEARED = OwnerRequest.Side.of(new OwnerUpdate.Clear());

    private final AttachmentId id;
    private final Instant now;
    private final List<BlockChange> changes = new ArrayList<>();
    private final List<Because> because = new ArrayList<>();
    private final List<Address> released = new ArrayList<>();
    private BlockView view;

    private Leaving(BlockView view, AttachmentId id, Instant now) {
        this.view = view;
        this.id = id;
        this.now = now;
    }

    /// @param handles by which it may have been given them
    static Decision<BlockChange, Surrender> decide(
            BlockView view, AttachmentId id, List<String> handles, Instant now) {
        var leaving = new Leaving(view, id, now);
        for (var handle : handles) {
            var refusal = leaving.release(handle);
            if (refusal.isPresent()) {
                return leaving.decided(new Surrender.Refused(refusal.get().sentence()));
            }
        }
        return leaving.decided(new Surrender.Done(leaving.released));
    }

    /// Has a virtual machine's addresses forget the interface. They stay the machine's, which may start
    /// again in another container, unless it is being deleted and no other container has them.
    ///
    /// @param handles by which the container may have been given others
    static Decision<BlockChange, Surrender> decide(
            BlockView view, MachineLeave leave, List<String> handles, Instant now) {
        var leaving = new Leaving(view, leave.id(), now);
        for (var handle : handles) {
            var refusal = leaving.release(handle);
            if (refusal.isPresent()) {
                return leaving.decided(new Surrender.Refused(refusal.get().sentence()));
            }
        }
        for (var tenure : Tenure.of(leaving.view, leave.handle())) {
            var refusal = leaving.leave(tenure, leave);
            if (refusal.isPresent()) {
                return leaving.decided(new Surrender.Refused(refusal.get().sentence()));
            }
        }
        return leaving.decided(new Surrender.Done(leaving.released));
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

    private Optional<BlockRefusal> leave(Tenure tenure, MachineLeave leave) {
        var held = tenure.held();
        boolean active = leave.isOwner(held.owner());
        boolean alternate = leave.isOwner(held.alternate());
        boolean unused =
                (active || held.owner().isEmpty()) && (alternate || held.alternate().isEmpty());
        if (unused && leave.forGood()) {
            return release(List.of(tenure), leave.handle());
        }
        if (active || alternate) {
            // Where its pool is gone nobody can change what an address says. It is the machine's
            // then
            // as before, and whoever collects leaks sees that the pod is gone.
            note(
                    BlockOwners.set(
                            view,
                            new OwnerRequest(
                                    tenure.address(),
                                    leave.handle(),
                                    active ? CLEARED : OwnerRequest.Side.KEEP,
                                    alternate ? CLEARED : OwnerRequest.Side.KEEP,
                                    now)));
        }
        return Optional.empty();
    }

    private Decision<BlockChange, Surrender> decided(Surrender outcome) {
        return new Decision<>(outcome, changes, because);
    }

    private Optional<BlockRefusal> release(String handle) {
        var held = Tenure.of(view, handle);
        if (held.stream().noneMatch(tenure -> tenure.isForAnotherThan(id))) {
            return releaseAll(handle);
        }
        var own = held.stream().filter(tenure -> !tenure.isForAnotherThan(id)).toList();
        return own.isEmpty() ? Optional.empty() : release(own, handle);
    }

    private Optional<BlockRefusal> releaseAll(String handle) {
        var decision = BlockReleases.releaseByHandle(view, handle, now);
        note(decision);
        released.addAll(decision.outcome().released());
        return switch (decision.outcome()) {
            case HandleRelease.Done _ -> Optional.empty();
            case HandleRelease.Refused(_, BlockRefusal.NotThere _) -> Optional.empty();
            case HandleRelease.Refused(_, var refusal) -> Optional.of(refusal);
        };
    }

    private Optional<BlockRefusal> release(List<Tenure> own, String handle) {
        var options =
                own.stream()
                        .map(
                                tenure ->
                                        ReleaseOption.of(tenure.address().toString())
                                                .withHandle(handle)
                                                .withSequence(tenure.sequence()))
                        .toList();
        var decision = BlockReleases.release(view, options, now);
        note(decision);
        return switch (decision.outcome()) {
            case Release.Done _ -> {
                own.forEach(tenure -> released.add(tenure.address()));
                yield Optional.empty();
            }
            case Release.Stopped(_, _, var refusal) -> Optional.of(refusal);
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
