package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Deadline;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.ApiJson.Metadata;
import io.cadastre.datastore.kubernetes.ApiJson.Status;
import io.cadastre.datastore.kubernetes.ApiReply.Answered;
import io.cadastre.datastore.kubernetes.ObjectReader.Found;
import io.cadastre.datastore.kubernetes.SeenObjects.Seen;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Applies the writes of a commit one by one, and stops at the first that is not done.
///
/// A commit that has written something and then fails is unknown, not failed: an exception would say
/// that nothing was written. A conflict says on which write, and that those before it were done.
final class ObjectWriter {

    /// How often the creation of a name is tried on which there is a tombstone.
    private static final int CREATE_ATTEMPTS_MAX = 4;

    private final ApiClient client;
    private final ResourceMap map;
    private final ObjectReader objects;
    private final SeenObjects seen;

    ObjectWriter(ApiClient client, ResourceMap map, ObjectReader objects, SeenObjects seen) {
        this.client = client;
        this.map = map;
        this.objects = objects;
        this.seen = seen;
    }

    Commit commit(List<Write> writes, Deadline deadline) {
        // All names before the first write: what can be refused is refused whole.
        var names = writes.stream().map(write -> name(write.key())).toList();
        var revisions = new ArrayList<Long>();
        for (int index = 0; index < writes.size(); index++) {
            try {
                switch (apply(names.get(index), writes.get(index), deadline)) {
                    case Step.Gone(var revision) -> revisions.add(revision);
                    case Step.Stored stored -> revisions.add(remembered(names.get(index), stored));
                    case Step.Taken taken -> throw new IllegalStateException("half a step: " + taken);
                    case Step.Met(var kind) -> {
                        return new Commit.Conflict(index, kind);
                    }
                    case Step.Lost(var sentence) -> {
                        return new Commit.Unknown(sentence);
                    }
                }
            } catch (RuntimeException failed) {
                // Whatever it is, thrown it would say that nothing was written.
                if (index == 0) {
                    throw failed;
                }
                return new Commit.Unknown("%d of %d writes were applied, and then: %s"
                        .formatted(index, writes.size(), failed.getMessage()));
            }
        }
        return new Commit.Done(revisions);
    }

    Commit patch(ObjectPatch patch, Deadline deadline) {
        return patch(patch, patch.changes(), deadline);
    }

    /// The server compares a revision that stands in the patch.
    Commit patchAt(ObjectPatch patch, long revision, Deadline deadline) {
        return patch(patch, ApiJson.withRevision(patch.changes(), revision), deadline);
    }

    private Commit patch(ObjectPatch patch, Bytes changes, Deadline deadline) {
        var name = name(patch.key());
        var request = ApiRequest.patch(name, patch, changes);
        var reply = client.write(request, deadline);
        if (!(reply instanceof Answered answer)) {
            return commit(name, lost(reply));
        }
        var status = status(answer);
        if (ApiFailures.absent(status)) {
            return new Commit.Conflict(0, Commit.Kind.ABSENT);
        }
        if (status.code() == 409) {
            seen.forget(name);
            return new Commit.Conflict(0, Commit.Kind.STALE);
        }
        if (!answer.good()) {
            throw client.refusal(request, answer);
        }
        var step = stored(answer);
        return step instanceof Step.Lost || map.read(name.resource(), answer.body()) instanceof Content.Present
                ? commit(name, step)
                : new Commit.Conflict(0, Commit.Kind.ABSENT);
    }

    private Commit commit(ObjectName name, Step step) {
        return switch (step) {
            case Step.Gone(var revision) -> new Commit.Done(List.of(revision));
            case Step.Stored stored -> new Commit.Done(List.of(remembered(name, stored)));
            case Step.Taken taken -> throw new IllegalStateException("half a step: " + taken);
            case Step.Met(var kind) -> new Commit.Conflict(0, kind);
            case Step.Lost(var sentence) -> new Commit.Unknown(sentence);
        };
    }

    /// Whether the server would leave a document as it was found if this value were written over it.
    ///
    /// Only the server knows what it fills in, leaves out and orders in its own way, so it is asked to update the
    /// object without storing it. An answer that is a refusal, or none, says that this is unknown.
    boolean wouldChangeNothing(Document found, Bytes value, Deadline deadline) {
        var name = name(found.key());
        if (!(current(name, found.revision(), deadline) instanceof Look.AsBelieved(var current))) {
            return false;
        }
        var rewritten = map.update(current.object(), found.key(), value);
        checkConditional(name, rewritten, found.revision());
        var part = part(name, current.object(), rewritten);
        return part.isPresent()
                && client.write(ApiRequest.update(name, rewritten, part.get()).asDryRun(), deadline)
                        instanceof Answered answer
                && answer.good()
                && map.read(name.resource(), answer.body()).equals(new Content.Present(found.key(), found.value()));
    }

    private ObjectName name(String key) {
        return map.locate(key)
                .orElseThrow(() -> new DatastoreException(
                        Kind.FAILED, "key '%s' has no place in the Kubernetes API".formatted(key)));
    }

    /// @throws DatastoreException if the write certainly was not applied and will not be
    private Step apply(ObjectName name, Write write, Deadline deadline) {
        return switch (write) {
            case Write.Create(var key, var value) -> create(name, key, value, deadline);
            case Write.Update(var key, var value, var revision) ->
                rewrite(name, revision, current -> map.update(current, key, value), deadline);
            case Write.Delete(var key, var revision) -> delete(name, key, revision, deadline);
        };
    }

    private Step create(ObjectName name, String key, Bytes value, Deadline deadline) {
        var object = map.create(key, value);
        if (name.resource().rewriting() == Rewriting.PER_PART && ApiJson.hasStatus(object)) {
            throw new DatastoreException(
                    Kind.FAILED,
                    "a new %s cannot have a status".formatted(name.resource().kind()));
        }
        var request = ApiRequest.create(name, object);
        for (int attempt = 1; ; attempt++) {
            var reply = client.write(request, deadline);
            if (!(reply instanceof Answered answer)) {
                return lost(reply);
            }
            if (answer.good()) {
                return stored(answer);
            }
            var status = status(answer);
            if (ApiFailures.absent(status)) {
                // An object that is to be created is never the one that is missing.
                throw new DatastoreException(
                        Kind.FAILED,
                        "the Kubernetes API refuses to create %s: the namespace %s does not exist; create it first"
                                .formatted(key, status.name()));
            }
            if (!ApiFailures.alreadyExists(status)) {
                throw client.refusal(request, answer);
            }
            if (name.resource().removal() == Removal.AT_ONCE || attempt == CREATE_ATTEMPTS_MAX) {
                return new Step.Met(Commit.Kind.EXISTS);
            }
            var found = objects.find(name, deadline);
            if (found.isPresent()) {
                if (!(found.get().content() instanceof Content.Tombstone)) {
                    return new Step.Met(Commit.Kind.EXISTS);
                }
                objects.bury(name, found.get().metadata(), deadline);
            }
        }
    }

    private Step delete(ObjectName name, String key, long revision, Deadline deadline) {
        return switch (name.resource().removal()) {
            case AT_ONCE ->
                name.resource().finalizer().isEmpty()
                        ? deleteAtOnce(name, revision, deadline)
                        : deleteFinalized(name, key, revision, deadline);
            case MARKED_FIRST -> {
                var step = rewrite(name, revision, current -> map.tombstone(name.resource(), current), deadline);
                if (step instanceof Step.Stored tombstone) {
                    objects.bury(name, tombstone.metadata(), deadline);
                    yield new Step.Gone(tombstone.metadata().revision());
                }
                yield step;
            }
        };
    }

    private Step deleteAtOnce(ObjectName name, long revision, Deadline deadline) {
        var step = sent(name, ApiRequest.delete(name, "resourceVersion", Long.toString(revision)), deadline);
        return step instanceof Step.Taken ? deletedAt(name, deadline) : step;
    }

    /// An object whose deletion has begun before was kept by its users, or by a process that stopped on the way.
    private Step deleteFinalized(ObjectName name, String key, long revision, Deadline deadline) {
        Seen current;
        switch (current(name, revision, deadline)) {
            case Look.AsBelieved(var found) -> current = found;
            case Look.Otherwise(var kind) -> {
                return new Step.Met(kind);
            }
        }
        if (ApiJson.ending(current.object()).begun()) {
            return release(name, key, current, deadline);
        }
        var step = sent(name, ApiRequest.delete(name, "resourceVersion", Long.toString(revision)), deadline);
        try {
            return step instanceof Step.Taken(var answer) ? afterBeginning(name, key, answer, deadline) : step;
        } catch (DatastoreException failed) {
            return begun(String.valueOf(failed.getMessage()));
        }
    }

    /// The server answers with the object if something keeps it.
    private Step afterBeginning(ObjectName name, String key, Bytes answer, Deadline deadline) {
        if (!ApiJson.ending(answer).begun()) {
            return deletedAt(name, deadline);
        }
        var kept = new Seen(answer, ApiJson.metadata(answer).revision());
        if (map.inUse(name.resource(), answer)) {
            return new Step.Gone(kept.revision());
        }
        return switch (release(name, key, kept, deadline)) {
            // Another process took the finalizer off.
            case Step.Met(var kind) when kind == Commit.Kind.ABSENT -> new Step.Gone(kept.revision());
            case Step.Met _ -> begun("it changed before its finalizer was taken off");
            case Step step -> step;
        };
    }

    private static Step begun(String sentence) {
        return new Step.Lost("its deletion has begun, and then: " + sentence);
    }

    /// Takes our finalizer off an object whose deletion has begun. Finalizers of others may keep it longer.
    private Step release(ObjectName name, String key, Seen ending, Deadline deadline) {
        var finalizers = new ArrayList<>(ApiJson.ending(ending.object()).finalizers());
        if (!finalizers.remove(name.resource().finalizer())) {
            return new Step.Gone(ending.revision());
        }
        var changes = ApiJson.withRevision(ApiJson.finalizersPatch(finalizers), ending.revision());
        var patch = new ObjectPatch(key, ObjectPatch.Merge.JSON, Rewriting.WHOLE, changes);
        var step = sent(name, ApiRequest.patch(name, patch, changes), deadline);
        return step instanceof Step.Taken ? new Step.Gone(ending.revision()) : step;
    }

    /// Sends a write that holds at one revision only.
    private Step sent(ObjectName name, ApiRequest request, Deadline deadline) {
        var reply = client.write(request, deadline);
        if (!(reply instanceof Answered answer)) {
            return lost(reply);
        }
        var status = status(answer);
        if (ApiFailures.absent(status)) {
            return new Step.Met(Commit.Kind.ABSENT);
        }
        if (status.code() == 409) {
            return new Step.Met(Commit.Kind.STALE);
        }
        if (!answer.good()) {
            throw client.refusal(request, answer);
        }
        seen.forget(name);
        return new Step.Taken(answer.body());
    }

    /// The server does not say at which revision it deleted an object, but its current revision is not
    /// older.
    private Step deletedAt(ObjectName name, Deadline deadline) {
        var request = ApiRequest.list(new Scope(name.resource(), name.namespace(), ""), Map.of("limit", "1"));
        try {
            return new Step.Gone(
                    ApiJson.page(client.read(request, deadline).body()).revision());
        } catch (DatastoreException failed) {
            return new Step.Lost("it was deleted, but at which revision is not known: " + failed.getMessage());
        }
    }

    private Step rewrite(ObjectName name, long revision, UnaryOperator<Bytes> change, Deadline deadline) {
        Seen current;
        switch (current(name, revision, deadline)) {
            case Look.AsBelieved(var found) -> current = found;
            case Look.Otherwise(var kind) -> {
                return new Step.Met(kind);
            }
        }
        var rewritten = change.apply(current.object());
        checkConditional(name, rewritten, revision);
        var part = part(name, current.object(), rewritten)
                .orElseThrow(() -> new DatastoreException(
                        Kind.FAILED,
                        "%s '%s' takes a change of its status and one of the rest one after the other"
                                .formatted(name.resource().kind(), name.name())));
        var request = ApiRequest.update(name, rewritten, part);
        var reply = client.write(request, deadline);
        if (!(reply instanceof Answered answer)) {
            return lost(reply);
        }
        if (answer.good()) {
            return stored(answer);
        }
        var status = status(answer);
        if (!ApiFailures.absent(status) && status.code() != 409) {
            throw client.refusal(request, answer);
        }
        seen.forget(name);
        if (ApiFailures.absent(status)) {
            return new Step.Met(Commit.Kind.ABSENT);
        }
        // It is another one, or a newer one, or was gone at that moment.
        return switch (look(name, revision, deadline)) {
            case Look.Otherwise(var kind) -> new Step.Met(kind);
            case Look.AsBelieved _ ->
                throw new DatastoreException(
                        Kind.FAILED,
                        "the Kubernetes API at %s refuses to update %s: %s"
                                .formatted(client.server(), request.target(), ApiFailures.said(status)));
        };
    }

    /// What the server has to take; empty if that would be two parts.
    private static Optional<Rewriting> part(ObjectName name, Bytes current, Bytes rewritten) {
        return switch (name.resource().rewriting()) {
            case WHOLE -> Optional.of(Rewriting.WHOLE);
            case STATUS -> Optional.of(Rewriting.STATUS);
            case PER_PART ->
                switch (ApiJson.change(current, rewritten)) {
                    case STATUS -> Optional.of(Rewriting.STATUS);
                    case REST -> Optional.of(Rewriting.WHOLE);
                    // Most changes are of the status, and more users have the right to write it than the rest.
                    case NOTHING -> Optional.of(ApiJson.hasStatus(rewritten) ? Rewriting.STATUS : Rewriting.WHOLE);
                    case BOTH -> Optional.empty();
                };
        };
    }

    /// Without a revision in it, a rewriting would overwrite whatever is there.
    private static void checkConditional(ObjectName name, Bytes rewritten, long revision) {
        long written = ApiJson.metadata(rewritten).revision();
        if (written != revision) {
            throw new IllegalStateException("%s '%s' is to be updated at revision %d, but the map wrote revision %d"
                    .formatted(name.resource().kind(), name.name(), revision, written));
        }
    }

    /// The object as it was last seen, or as it is.
    private Look current(ObjectName name, long revision, Deadline deadline) {
        return seen.findAt(name, revision)
                .<Look>map(Look.AsBelieved::new)
                .orElseGet(() -> look(name, revision, deadline));
    }

    private Look look(ObjectName name, long revision, Deadline deadline) {
        var found = objects.find(name, deadline);
        if (found.isEmpty()) {
            return new Look.Otherwise(Commit.Kind.ABSENT);
        }
        var object = found.get();
        return switch (object.content()) {
            case Content.Tombstone _ -> {
                objects.bury(name, object.metadata(), deadline);
                yield new Look.Otherwise(Commit.Kind.ABSENT);
            }
            case Content.Foreign _ -> new Look.Otherwise(Commit.Kind.ABSENT);
            case Content.Present _ -> compared(object, revision);
        };
    }

    private static Look compared(Found object, long revision) {
        return object.seen().revision() == revision
                ? new Look.AsBelieved(object.seen())
                : new Look.Otherwise(Commit.Kind.STALE);
    }

    /// The server has done it, even if its answer cannot be read.
    private static Step stored(Answered answer) {
        try {
            return new Step.Stored(answer.body(), ApiJson.metadata(answer.body()));
        } catch (DatastoreException unreadable) {
            return new Step.Lost(String.valueOf(unreadable.getMessage()));
        }
    }

    private long remembered(ObjectName name, Step.Stored stored) {
        long revision = stored.metadata().revision();
        seen.remember(name, new Seen(stored.object(), revision));
        return revision;
    }

    private static Step lost(ApiReply reply) {
        return switch (reply) {
            case ApiReply.Lost(var _, var sentence) -> new Step.Lost(sentence);
            case ApiReply.Unsent unsent -> throw new IllegalStateException(unsent.sentence());
            case Answered answer -> throw new IllegalStateException("code " + answer.code());
        };
    }

    private static Status status(Answered answer) {
        return ApiJson.status(answer.code(), answer.body());
    }

    /// What became of one write.
    private sealed interface Step {

        /// The document is gone.
        record Gone(long revision) implements Step {}

        /// The server did what it was asked, and answered.
        record Taken(Bytes answer) implements Step {}

        /// The object is as it was to be.
        record Stored(Bytes object, Metadata metadata) implements Step {}

        record Met(Commit.Kind kind) implements Step {}

        record Lost(String sentence) implements Step {}
    }

    /// What is there, against what a write believes.
    private sealed interface Look {

        record AsBelieved(Seen seen) implements Look {}

        record Otherwise(Commit.Kind kind) implements Look {}
    }
}
