package io.cadastre.wire.spiderpool.multus;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeName;
import io.cadastre.wire.spiderpool.objects.MultusConfigRules;
import io.cadastre.wire.spiderpool.objects.ObjectFault;
import java.util.List;

/// Decides what becomes of the NetworkAttachmentDefinition of a SpiderMultusConfig: it is made, follows its
/// SpiderMultusConfig, and goes with it. One of that name that belongs to nothing, or to something else, stays as it
/// is.
public final class Attachments {

    private static final String METADATA = "metadata";
    private static final String ANNOTATIONS = "annotations";

    private Attachments() {}

    public static Decision<DocumentChange, AttachmentOutcome> sync(AttachmentView view) {
        if (view.config().isEmpty()) {
            return removal(view);
        }
        var stored = view.config().getFirst();
        try {
            var config = Json.readObject(stored.key(), stored.value());
            if (terminating(config)) {
                return decided(new AttachmentOutcome.Unchanged());
            }
            var faults = MultusConfigRules.faults(config);
            var name = MultusConfigRules.networkName(config);
            if (!faults.isEmpty()) {
                return refused(ObjectFault.text(faults));
            }
            return NodeName.fault(name).isPresent()
                    ? refused("'%s' is not a name for a NetworkAttachmentDefinition".formatted(name))
                    : written(view, new AttachmentForm(config), name);
        } catch (UnreadableDocumentException malformed) {
            return refused(malformed.fault());
        }
    }

    private static Decision<DocumentChange, AttachmentOutcome> written(
            AttachmentView view, AttachmentForm form, String name) {
        var key = AttachmentKeys.of(view.namespace(), name);
        if (view.attachments().isEmpty()) {
            return changed(
                    new AttachmentOutcome.Created(),
                    new DocumentChange.Put(key, Json.write(form.object()), "create " + key));
        }
        var before = Json.readObject(key, view.attachments().getFirst().value());
        if (terminating(before)) {
            return refused("NetworkAttachmentDefinition %s is being deleted; it is made anew then".formatted(name));
        }
        if (!owned(before, form.owner())) {
            return refused(
                    "NetworkAttachmentDefinition %s exists and is not of this SpiderMultusConfig; delete it, or choose another name by the annotation %s"
                            .formatted(name, MultusConfigRules.NAME_ANNOTATION));
        }
        var after = adjusted(before, form);
        return after.equals(before)
                ? decided(new AttachmentOutcome.Unchanged())
                : changed(
                        new AttachmentOutcome.Updated(),
                        new DocumentChange.Put(key, Json.write(after), "update " + key));
    }

    private static ObjectNode adjusted(ObjectNode before, AttachmentForm form) {
        var after = before.deepCopy();
        var metadata = (ObjectNode) after.get(METADATA);
        var noted = metadata.path(ANNOTATIONS).path(AttachmentForm.KUBECTL_ANNOTATION);
        metadata.remove(ANNOTATIONS);
        var annotations = form.annotationsJson();
        // What kubectl notes is of the object that it is noted on, and kubectl compares with it.
        if (noted.isTextual()) {
            annotations.set(AttachmentForm.KUBECTL_ANNOTATION, noted);
        }
        if (!annotations.isEmpty()) {
            metadata.set(ANNOTATIONS, annotations);
        }
        var spec = after.get("spec") instanceof ObjectNode present ? present : after.putObject("spec");
        spec.remove("config");
        if (!form.configuration().isEmpty()) {
            spec.put("config", form.configuration());
        }
        return after;
    }

    private static boolean terminating(ObjectNode object) {
        return object.path(METADATA).hasNonNull("deletionTimestamp");
    }

    private static boolean owned(ObjectNode attachment, ObjectNode owner) {
        var reader = new Fields("NetworkAttachmentDefinition");
        return reader.array(reader.object(attachment, METADATA), "ownerReferences")
                .valueStream()
                .anyMatch(one -> one.path("kind").equals(owner.path("kind"))
                        && one.path("uid").equals(owner.path("uid"))
                        && one.path("controller").asBoolean());
    }

    // ---- without a SpiderMultusConfig ----

    private static Decision<DocumentChange, AttachmentOutcome> removal(AttachmentView view) {
        var changes = view.attachments().stream()
                .filter(attachment -> belonged(attachment, view.name()))
                .<DocumentChange>map(
                        attachment -> new DocumentChange.Drop(attachment.key(), "delete " + attachment.key()))
                .toList();
        return changes.isEmpty()
                ? decided(new AttachmentOutcome.Unchanged())
                : new Decision<>(new AttachmentOutcome.Removed(changes.size()), changes, List.of());
    }

    private static boolean belonged(Document attachment, String name) {
        try {
            var reader = new Fields(attachment.key());
            var json = Json.readObject(attachment.key(), attachment.value());
            return reader.array(reader.object(json, METADATA), "ownerReferences")
                    .valueStream()
                    .anyMatch(owner -> owner.path("kind").asText().equals("SpiderMultusConfig")
                            && owner.path("name").asText().equals(name)
                            && owner.path("controller").asBoolean());
        } catch (UnreadableDocumentException _) {
            return false;
        }
    }

    private static Decision<DocumentChange, AttachmentOutcome> changed(
            AttachmentOutcome outcome, DocumentChange change) {
        return new Decision<>(outcome, List.of(change), List.of());
    }

    private static Decision<DocumentChange, AttachmentOutcome> refused(String why) {
        return decided(new AttachmentOutcome.Refused(why));
    }

    private static Decision<DocumentChange, AttachmentOutcome> decided(AttachmentOutcome outcome) {
        return new Decision<>(outcome, List.of(), List.of());
    }
}
