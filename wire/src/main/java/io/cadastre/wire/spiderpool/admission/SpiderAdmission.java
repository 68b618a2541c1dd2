package io.cadastre.wire.spiderpool.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer.Allowed;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer.Code;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer.Denied;
import io.cadastre.wire.spiderpool.admission.AdmissionAnswer.Patched;
import io.cadastre.wire.spiderpool.objects.ObjectFault;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.SubnetUse;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/// Answers the reviews of one kind, by the rules of that kind.
///
/// @param families those that are given at all
/// @param deletion whether an object in use may be deleted
/// @param subnets whether subnets control pools
public record SpiderAdmission(SpiderKind kind, List<Family> families, Deletion deletion, SubnetUse subnets) {

    private static final String METADATA = "metadata";
    private static final String FINALIZERS = "finalizers";
    private static final String FINALIZER = "spiderpool.spidernet.io";
    private static final String COUNT = "allocatedIPCount";

    /// What only the server writes, and what an update may take away without being reviewed.
    private static final List<String> BOOKKEEPING =
            List.of(FINALIZERS, "managedFields", "resourceVersion", "generation");

    private static final UUID NO_UID = new UUID(0, 0);

    /// Whether an object in use may be deleted.
    public enum Deletion {
        /// It stays until it is not in use any more.
        AT_ANY_TIME,

        /// As `enableValidatingResourcesDeletedWebhook` says.
        WHEN_UNUSED
    }

    public SpiderAdmission {
        families = List.copyOf(families);
    }

    /// Completes an object. What cannot be completed stays as it is, to be judged with the rest: a failure here refuses
    /// nothing.
    ///
    /// @param view reads what else is stored
    public AdmissionAnswer mutate(AdmissionReview review, Supplier<ObjectView> view) {
        if (!isWritten(review) || isTerminating(review.object())) {
            return new Allowed();
        }
        var completed = review.object().deepCopy();
        var fault = "";
        try {
            kind.complete(view.get(), given(review), completed);
        } catch (UnreadableDocumentException malformed) {
            fault = malformed.fault();
        } catch (DatastoreException failed) {
            fault = "its subnet cannot be looked for: " + failed.getMessage();
        }
        return new Patched(JsonPatch.between(review.object(), completed), fault);
    }

    /// Judges an object.
    ///
    /// @param view reads what else is stored; not asked if that makes no difference
    public AdmissionAnswer validate(AdmissionReview review, Supplier<ObjectView> view) {
        if (!review.word().equals(kind.word())) {
            return new Denied(
                    Code.BAD_REQUEST,
                    "the review is of the kind '%s'; here %s is reviewed".formatted(review.word(), kind.word()));
        }
        if (!review.subresource().isEmpty()) {
            return new Allowed();
        }
        return switch (review.operation()) {
            case "CREATE" -> creation(review, view);
            case "UPDATE" -> update(review, view);
            case "DELETE" -> deletion(review);
            default ->
                new Denied(
                        Code.BAD_REQUEST,
                        "the operation is '%s'; CREATE, UPDATE and DELETE are reviewed".formatted(review.operation()));
        };
    }

    private boolean isWritten(AdmissionReview review) {
        return review.word().equals(kind.word())
                && review.subresource().isEmpty()
                && List.of("CREATE", "UPDATE").contains(review.operation());
    }

    private AdmissionAnswer creation(AdmissionReview review, Supplier<ObjectView> stored) {
        var name = name(review);
        var view = stored.get();
        if (view.stores(kind, name)) {
            return new Denied(
                    Code.ALREADY_EXISTS, ObjectOutcome.taken(kind, name).sentence());
        }
        return judged(name, () -> kind.faultsOfCreation(view, given(review), review.object()));
    }

    private AdmissionAnswer update(AdmissionReview review, Supplier<ObjectView> view) {
        var name = name(review);
        if (isTerminating(review.before())) {
            return isReleased(review)
                    ? new Allowed()
                    : new Denied(
                            Code.FORBIDDEN,
                            ObjectOutcome.terminating(kind, name).sentence());
        }
        return judged(name, () -> kind.faultsOfUpdate(view.get(), given(review), review.object(), review.before()));
    }

    /// Of an object whose deletion has begun, finalizers are taken off and nothing else is changed. Once ours is off,
    /// the rest is left to others.
    private boolean isReleased(AdmissionReview review) {
        boolean released = hasFinalizer(review.before()) && !hasFinalizer(review.object());
        boolean fewer =
                finalizers(review.before()).size() > finalizers(review.object()).size();
        return released || (fewer && bare(review.before()).equals(bare(review.object())));
    }

    private static List<String> finalizers(ObjectNode object) {
        return object.path(METADATA)
                .path(FINALIZERS)
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private static boolean hasFinalizer(ObjectNode object) {
        return finalizers(object).contains(FINALIZER);
    }

    /// The object without what a server or a finalizer changes, as text: numbers may be read as two types.
    private static String bare(ObjectNode object) {
        var rest = object.deepCopy();
        if (rest.get(METADATA) instanceof ObjectNode metadata) {
            metadata.remove(BOOKKEEPING);
        }
        return Json.write(rest).utf8();
    }

    private AdmissionAnswer deletion(AdmissionReview review) {
        var count = review.before().path("status").path(COUNT).toString();
        boolean used = kind.countsAddresses() && !List.of("", "0", "null").contains(count);
        return used && deletion == Deletion.WHEN_UNUSED
                ? new Denied(
                        Code.FORBIDDEN,
                        "%s.spiderpool.spidernet.io \"%s\" is forbidden: cannot delete an %s with allocated IPs(%s)"
                                .formatted(kind.word(), name(review), kind.shortWord(), count))
                : new Allowed();
    }

    /// The rules of the kind.
    @FunctionalInterface
    private interface Rules {
        List<ObjectFault> faults();
    }

    private AdmissionAnswer judged(String name, Rules rules) {
        try {
            var faults = rules.faults();
            return faults.isEmpty()
                    ? new Allowed()
                    : new Denied(
                            Code.INVALID,
                            ObjectOutcome.invalid(kind.word(), name, faults).sentence(),
                            faults);
        } catch (UnreadableDocumentException malformed) {
            return new Denied(
                    Code.INVALID,
                    "%s.spiderpool.spidernet.io \"%s\" is invalid: %s"
                            .formatted(kind.word(), name, malformed.getMessage()));
        }
    }

    /// The time and the UID are the server's, and no rule looks at them.
    private Given given(AdmissionReview review) {
        return new Given(kind, review.object(), NO_UID, Instant.EPOCH, families, subnets);
    }

    private static String name(AdmissionReview review) {
        return review.object().path(METADATA).path("name").asText(review.name());
    }

    private static boolean isTerminating(ObjectNode object) {
        return object.path(METADATA).hasNonNull("deletionTimestamp");
    }
}
