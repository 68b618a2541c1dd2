package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import io.cadastre.engine.nodecidr.cloud.CloudChange;
import io.cadastre.engine.nodecidr.cloud.CloudChange.AddAlias;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudEngine;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.CloudOutcome;
import io.cadastre.wire.kubernetes.MachineNode;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/// One attempt to bring a Node in step with its machine: the cloud is asked, the law decides, and what it wants is
/// written in its order, up to the first change that fails.
///
/// @param fenced ends the attempt with an exception once the leader term is over
record CloudTurn(
        CloudAllocator allocator,
        CloudProvider cloud,
        NodeWriter writer,
        FencedDatastore fenced,
        InstantSource clock,
        Notes notes) {

    /// How often upstream sends the patch of an allocator; it sends that of a synchronising mode once.
    private static final int PATCHES_MAX = 3;

    /// What an attempt leaves beside its writes.
    interface Notes {

        void event(CloudNode node, CloudEvent event);

        /// The Node was written, and has this revision.
        void wrote(CloudNode node, long revision);

        /// The Node has these CIDRs by a write of this process.
        void given(CloudNode node, List<Prefix> cidrs, long revision, List<Because> because);
    }

    /// How an attempt ended.
    sealed interface Ending {

        /// There is nothing to try again.
        record Settled() implements Ending {}

        /// It is to be tried again.
        record Failed(String sentence) implements Ending {}
    }

    /// How one change ended.
    private sealed interface Written {

        record Done(long revision) implements Written {}

        /// There is no such Node any more.
        record Gone() implements Written {}

        record Failed(String sentence) implements Written {}
    }

    Ending take(CloudNode node) {
        var answer = CloudEngine.unaskable(node).isPresent()
                ? new AliasRanges.Found(List.of())
                : cloud.aliasRanges(node.providerId());
        fenced.checkTerm();
        var decision = allocator.decide(node, answer);
        return switch (decision.outcome()) {
            case CloudOutcome.Refused(var refusal) -> {
                refusal.event().ifPresent(event -> notes.event(node, event));
                yield new Ending.Failed(refusal.sentence());
            }
            case CloudOutcome.Mismatched(var event) -> {
                notes.event(node, event);
                yield new Ending.Settled();
            }
            case CloudOutcome.InStep _ -> write(node, decision.changes(), decision.because());
        };
    }

    private Ending write(CloudNode node, List<CloudChange> changes, List<Because> because) {
        for (var change : changes) {
            switch (write(node, change)) {
                case Written.Failed(var sentence) -> {
                    return new Ending.Failed(sentence);
                }
                case Written.Gone _ -> {
                    return new Ending.Settled();
                }
                case Written.Done(long revision) -> {
                    if (change instanceof PatchCidrs patch) {
                        notes.given(node, patch.cidrs(), revision, because);
                    }
                }
            }
        }
        if (!changes.isEmpty()) {
            allocator.finished(node);
        }
        return new Ending.Settled();
    }

    private Written write(CloudNode node, CloudChange change) {
        fenced.checkTerm();
        return switch (change) {
            case AddAlias(var _, var providerId, var range) -> add(node, providerId, range);
            case PatchCidrs patch -> patch(node, patch);
            case OpenNetwork open ->
                send(
                        "cannot %s".formatted(open.sentence()),
                        1,
                        name -> writer.patchStatus(name, MachineNode.patchOf(open, clock.instant()), fenced::checkTerm),
                        node);
        };
    }

    private Written add(CloudNode node, String providerId, Prefix range) {
        return switch (cloud.addAlias(providerId, range, fenced::checkTerm)) {
            case AliasAddition.Added _ -> new Written.Done(0);
            case AliasAddition.Failed(var sentence) -> new Written.Failed(sentence);
            case AliasAddition.Refused(var sentence) -> {
                allocator.refused(node);
                yield new Written.Failed(sentence);
            }
        };
    }

    private Written patch(CloudNode node, PatchCidrs patch) {
        Bytes body = MachineNode.patchOf(patch);
        boolean ofAllocator = patch.form() == PatchCidrs.Form.LIST;
        var written = send(
                "cannot %s".formatted(patch.sentence()),
                ofAllocator ? PATCHES_MAX : 1,
                name -> writer.patch(name, body, fenced::checkTerm),
                node);
        if (ofAllocator && written instanceof Written.Failed) {
            notes.event(node, CloudEvent.assignmentFailed(node.name()));
        }
        return written;
    }

    /// A patch says what is wanted and nothing of what was before, so it may be sent again although its answer was
    /// lost.
    private Written send(String failing, int attemptsMax, Function<String, Commit> patch, CloudNode node) {
        var failure = "";
        for (int attempt = 1; attempt <= attemptsMax; attempt++) {
            try {
                switch (NodeWriter.inTurn(() -> patch.apply(node.name()), fenced::checkTerm)) {
                    case Commit.Done(var revisions) -> {
                        notes.wrote(node, revisions.getFirst());
                        return new Written.Done(revisions.getFirst());
                    }
                    case Commit.Conflict(var _, var kind)
                    when kind == Commit.Kind.ABSENT -> {
                        return new Written.Gone();
                    }
                    case Commit.Conflict _ -> failure = "the Node changes too often";
                    case Commit.Unknown(var reason) -> failure = reason;
                }
            } catch (LeadershipLostException deposed) {
                throw deposed;
            } catch (DatastoreException refused) {
                failure = String.valueOf(refused.getMessage());
            }
        }
        return new Written.Failed("%s: %s".formatted(failing, failure));
    }
}
