package io.cadastre.engine.block.release;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.OwnerRequest;
import io.cadastre.engine.block.OwnerUpdate;
import io.cadastre.engine.block.assign.HeldAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The release of the addresses of one interface.
///
/// Calico takes back all that the handle holds. Here an address that belongs to another interface stays:
/// the container may still use it, and it would otherwise be given to another container.
public final class InterfaceRelease {

    private static final OwnerRequest.Side CLEARED = OwnerRequest.Side.of(new OwnerUpdate.Clear());

    private final DetachRequest request;
    private final List<BlockChange> changes = new ArrayList<>();
    private final List<Because> because = new ArrayList<>();
    private final List<Address> released = new ArrayList<>();
    private BlockView view;

    public InterfaceRelease(BlockView view, DetachRequest request) {
        this.view = view;
        this.request = request;
    }

    public Decision<BlockChange, DetachResult> decide() {
        var outcome = run().<DetachResult>map(refusal -> new DetachResult.Refused(refusal.sentence()))
                .orElseGet(() -> new DetachResult.Done(released));
        return new Decision<>(outcome, changes, because);
    }

    private Optional<BlockRefusal> run() {
        for (var handle : request.handles()) {
            var refusal = release(handle);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        if (request instanceof DetachRequest.OfMachine machine) {
            for (var heldAddress : HeldAddress.of(view, machine.machine())) {
                var refusal = leave(heldAddress, machine);
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<BlockRefusal> release(String handle) {
        var held = HeldAddress.of(view, handle);
        if (held.stream().noneMatch(heldAddress -> heldAddress.isForAnotherThan(request.id()))) {
            return releaseAll(handle);
        }
        var own = held.stream()
                .filter(heldAddress -> !heldAddress.isForAnotherThan(request.id()))
                .toList();
        return own.isEmpty() ? Optional.empty() : release(own, handle);
    }

    private Optional<BlockRefusal> releaseAll(String handle) {
        var decision = BlockEngine.releaseByHandle(view, handle, Attempts.first(request.now()));
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
        var decision = BlockEngine.release(view, options, Attempts.first(request.now()));
        note(decision);
        return switch (decision.outcome()) {
            case Release.Done _ -> {
                own.forEach(heldAddress -> released.add(heldAddress.address()));
                yield Optional.empty();
            }
            case Release.Stopped(var _, var _, var refusal) -> Optional.of(refusal);
        };
    }

    private Optional<BlockRefusal> leave(HeldAddress heldAddress, DetachRequest.OfMachine machine) {
        var held = heldAddress.held();
        boolean active = machine.isOwner(held.owner());
        boolean alternate = machine.isOwner(held.alternate());
        boolean unused = (active || held.owner().isEmpty())
                && (alternate || held.alternate().isEmpty());
        if (unused && machine.forGood()) {
            return release(List.of(heldAddress), machine.machine());
        }
        if (active || alternate) {
            // Where its pool is gone, the attributes of an address cannot be changed. It then stays the
            // machine's, and the leak collector sees that the pod is gone.
            note(BlockEngine.setOwner(
                    view,
                    new OwnerRequest(
                            heldAddress.address(),
                            machine.machine(),
                            active ? CLEARED : OwnerRequest.Side.KEEP,
                            alternate ? CLEARED : OwnerRequest.Side.KEEP,
                            request.now())));
        }
        return Optional.empty();
    }

    private void note(Decision<BlockChange, ?> decision) {
        changes.addAll(decision.changes());
        because.addAll(decision.because());
        for (var change : decision.changes()) {
            view = view.with(change);
        }
    }
}
