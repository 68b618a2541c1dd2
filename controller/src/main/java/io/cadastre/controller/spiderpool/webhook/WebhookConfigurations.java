package io.cadastre.controller.spiderpool.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.admission.SpiderAdmission.Deletion;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// Tells the API server which objects to ask about, where, and whom to trust: one MutatingWebhookConfiguration and one
/// ValidatingWebhookConfiguration.
///
/// Only the main resource is named, so writes of a status are never asked about: agents assign and release addresses
/// while no controller runs. A finalizer is taken off without a question too, where the server knows match conditions.
final class WebhookConfigurations {

    static final String NAME = "cadastre-spiderpool-webhook";

    private static final String GROUP = "spiderpool.spidernet.io";
    private static final String VERSION = "v2beta1";
    private static final String CONDITIONS = "matchConditions";
    private static final int TIMEOUT_SECONDS = 10;
    private static final int ATTEMPTS_MAX = 5;

    private final WebhookSettings settings;

    WebhookConfigurations(WebhookSettings settings) {
        this.settings = settings;
    }

    /// What is asked about an object.
    enum Question {
        MUTATE("MutatingWebhookConfiguration", CoreKeys.MUTATING_WEBHOOKS),
        VALIDATE("ValidatingWebhookConfiguration", CoreKeys.VALIDATING_WEBHOOKS);

        private final String kind;
        private final String keys;

        Question(String kind, String keys) {
            this.kind = kind;
            this.keys = keys;
        }

        String key() {
            return keys + NAME;
        }

        /// Where it is asked about objects of this kind.
        String path(SpiderKind asked) {
            return "/%s-%s-%s-%s"
                    .formatted(
                            this == MUTATE ? "mutate" : "validate", GROUP.replace('.', '-'), VERSION, asked.singular());
        }
    }

    /// Writes the configurations that are not as they should be.
    ///
    /// @param authorities whom the server is to trust, in PEM
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer or a right is missing
    void write(Datastore store, String authorities) {
        for (var question : Question.values()) {
            write(store, question, webhooks(question, authorities));
        }
    }

    private static void write(Datastore store, Question question, JsonNode webhooks) {
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var stored = store.get(question.key());
            if (stored.isEmpty()) {
                var json = Json.emptyObject();
                json.put("apiVersion", "admissionregistration.k8s.io/v1").put("kind", question.kind);
                json.putObject("metadata").put("name", NAME);
                json.set("webhooks", webhooks);
                if (store.commit(List.of(new Write.Create(question.key(), Json.write(json)))) instanceof Commit.Done) {
                    return;
                }
            } else {
                var json = Json.readObject(question.key(), stored.get().value());
                if (says(json.path("webhooks"), webhooks)) {
                    return;
                }
                json.set("webhooks", webhooks);
                var update = new Write.Update(
                        question.key(), Json.write(json), stored.get().revision());
                if (store.commit(List.of(update)) instanceof Commit.Done) {
                    return;
                }
            }
            // Another writer was first, or the answer was lost: look again.
        }
    }

    /// Whether what is stored says all that is wanted. A server that does not know match conditions drops them.
    private static boolean says(JsonNode stored, JsonNode wanted) {
        if (stored.size() != wanted.size()) {
            return false;
        }
        for (int index = 0; index < wanted.size(); index++) {
            var present = stored.get(index);
            for (var field : wanted.get(index).properties()) {
                var value = present.path(field.getKey());
                boolean dropped = field.getKey().equals(CONDITIONS) && Fields.absent(value);
                if (!dropped && !value.equals(field.getValue())) {
                    return false;
                }
            }
        }
        return true;
    }

    /// As they are read back: a number that was made and one that was read are of two types.
    private JsonNode webhooks(Question question, String authorities) {
        var json = Json.emptyObject();
        var all = json.putArray("webhooks");
        SpiderKinds.reviewed().forEach(kind -> describe(all.addObject(), question, kind, authorities));
        return Json.readObject(NAME, Json.write(json)).path("webhooks");
    }

    private void describe(ObjectNode webhook, Question question, SpiderKind kind, String authorities) {
        webhook.put("name", "%s.%s".formatted(kind.singular(), GROUP));
        webhook.putArray("admissionReviewVersions").add("v1");
        clientConfig(webhook.putObject("clientConfig"), question.path(kind), authorities);
        webhook.put("failurePolicy", "Fail");
        webhook.put("matchPolicy", "Equivalent");
        webhook.put("sideEffects", "None");
        webhook.put("timeoutSeconds", TIMEOUT_SECONDS);
        var rule = webhook.putArray("rules").addObject();
        rule.putArray("apiGroups").add(GROUP);
        rule.putArray("apiVersions").add(VERSION);
        var operations = rule.putArray("operations").add("CREATE").add("UPDATE");
        rule.putArray("resources").add(kind.traits().plural());
        rule.put("scope", "*");
        var condition = webhook.putArray(CONDITIONS).addObject();
        condition.put("name", "not-being-released");
        condition.put(
                "expression",
                switch (question) {
                    case MUTATE -> "!has(object.metadata.deletionTimestamp)";
                    case VALIDATE ->
                        "request.operation == 'DELETE' || !has(object.metadata.deletionTimestamp)"
                                + " || (has(object.metadata.finalizers) && '%s' in object.metadata.finalizers)"
                                        .formatted(GROUP)
                                + " || !(has(oldObject.metadata.finalizers) && '%s' in oldObject.metadata.finalizers)"
                                        .formatted(GROUP);
                });
        if (question == Question.VALIDATE && settings.deletion() == Deletion.WHEN_UNUSED && kind.countsAddresses()) {
            operations.add("DELETE");
        }
    }

    private void clientConfig(ObjectNode config, String path, String authorities) {
        config.put("caBundle", Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.US_ASCII)));
        switch (settings.place()) {
            case WebhookSettings.Place.Service(var name, int port) ->
                config.putObject("service")
                        .put("name", name)
                        .put("namespace", settings.namespace())
                        .put("path", path)
                        .put("port", port);
            case WebhookSettings.Place.Url(var base) -> config.put("url", base + path);
        }
    }
}
