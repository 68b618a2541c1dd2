package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.nodecidr.NodeCidrTerm.Step;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.Optional;

/// Gives a Node the CIDRs that were reserved for it, by a patch, and finds out what became of it.
final class NodePatcher {

    /// How often a patch is sent before the work on its Node counts as failed.
    private static final int PATCH_ATTEMPTS_MAX = 3;

    private final NodeWriter writer;
    private final NodeSource<NodeObject> source;

    NodePatcher(NodeWriter writer, NodeSource<NodeObject> source) {
        this.writer = writer;
        this.source = source;
    }

    /// @param lost is run when an answer is lost, before anything else is done
    /// @throws LeadershipLostException if the term is over
    PatchResult send(FencedDatastore fenced, Step.Write write, Runnable lost) {
        try {
            return attempt(fenced, write, lost);
        } catch (LeadershipLostException deposed) {
            throw deposed;
        } catch (DatastoreException silent) {
            // The Node cannot be read: whether it has the CIDRs is not known.
            return new PatchResult.Failed(String.valueOf(silent.getMessage()));
        }
    }

    private PatchResult attempt(FencedDatastore fenced, Step.Write write, Runnable lost) {
        var name = write.node().name();
        var patch = patchOf(write);
        var failure = "";
        boolean answered = true;
        for (int attempt = 1; attempt <= PATCH_ATTEMPTS_MAX; attempt++) {
            try {
                switch (NodeWriter.inTurn(() -> writer.patch(name, patch, fenced::checkTerm), fenced::checkTerm)) {
                    case Commit.Done(var revisions) -> {
                        return new PatchResult.Assigned(revisions.getFirst());
                    }
                    case Commit.Conflict(var _, var kind) -> {
                        if (kind == Commit.Kind.ABSENT) {
                            return new PatchResult.Gone();
                        }
                        failure = "the Node changes too often";
                    }
                    case Commit.Unknown(var reason) -> {
                        failure = reason;
                        answered = false;
                        lost.run();
                    }
                }
            } catch (LeadershipLostException deposed) {
                throw deposed;
            } catch (DatastoreException refused) {
                failure = String.valueOf(refused.getMessage());
                var found = source.find(fenced, name);
                if (found.isEmpty() || !found.get().podCidrs().isEmpty()) {
                    return met(write, found);
                }
            }
        }
        return answered ? new PatchResult.Failed(failure) : doubtful(fenced, write, failure);
    }

    private static Bytes patchOf(Step.Write write) {
        return NodeObject.patchOf(write.cidrs().stream().map(Prefix::toString).toList());
    }

    /// The answer was lost, so the Node is read.
    private PatchResult doubtful(FencedDatastore fenced, Step.Write write, String failure) {
        var found = source.find(fenced, write.node().name());
        if (found.isPresent() && found.get().podCidrs().isEmpty()) {
            return new PatchResult.Failed(failure);
        }
        return met(write, found);
    }

    /// The Node is gone, or has CIDRs: the reserved ones, or some that another writer gave it.
    private static PatchResult met(Step.Write write, Optional<NodeObject> found) {
        if (found.isEmpty()) {
            return new PatchResult.Gone();
        }
        var node = found.get();
        return node.entry().prefixes().equals(write.cidrs())
                ? new PatchResult.Assigned(node.revision())
                : new PatchResult.Rivalled(node);
    }

    /// Who gave the Node its CIDRs, in words.
    String manager(String name) {
        try {
            return writer.findCidrManager(name)
                    .map("field manager '%s'"::formatted)
                    .orElse("another writer");
        } catch (DatastoreException unknown) {
            return "another writer";
        }
    }
}
