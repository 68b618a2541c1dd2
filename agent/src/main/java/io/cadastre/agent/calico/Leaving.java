package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Takes back the addresses of one interface.
///
/// Calico takes back all that the handle holds. Here an address that says that it is for another
/// interface stays: the container may still use it, and it would be given to another.
final class Leaving {

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
