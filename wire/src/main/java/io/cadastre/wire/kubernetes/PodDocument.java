package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// A `v1.Pod` as JSON. Each method reads one part of it, and throws an [UnreadableDocumentException] if that part has a
/// wrong type: what a user does not ask for may be anything, or be left out by a [FieldSelection].
public record PodDocument(Fields reader, ObjectNode json) {

    private static final Set<String> ENDS = Set.of("Succeeded", "Failed");

    public static String key(String namespace, String name) {
        return CoreKeys.PODS + namespace + "/" + name;
    }

    /// What is made of the namespace and the name of the pod whose document the key is of; empty if it is of no pod.
    public static <T> Optional<T> name(String key, BiFunction<String, String, T> made) {
        var rest = key.substring(CoreKeys.PODS.length());
        int slash = rest.indexOf('/');
        boolean ofPod = slash > 0 && slash < rest.length() - 1 && rest.indexOf('/', slash + 1) < 0;
        return ofPod ? Optional.of(made.apply(rest.substring(0, slash), rest.substring(slash + 1))) : Optional.empty();
    }

    /// A pod of which all fields are kept.
    ///
    /// @throws UnreadableDocumentException if it is not a JSON object
    public static PodDocument read(Document document) {
        return read(document, FieldSelection.WHOLE);
    }

    /// A pod of which only these fields are kept.
    ///
    /// @throws UnreadableDocumentException if it is not a JSON object
    public static PodDocument read(Document document, FieldSelection wanted) {
        return new PodDocument(new Fields(document.key()), Json.readObject(document.key(), document.value(), wanted));
    }

    public ObjectMeta metadata() {
        return ObjectMeta.of(reader, json);
    }

    // ---- spec ----

    private ObjectNode spec() {
        return reader.object(json, "spec");
    }

    /// Where it runs; empty if that is not decided.
    public String nodeName() {
        return reader.text(spec(), "nodeName");
    }

    public boolean hostNetwork() {
        return reader.flag(spec(), "hostNetwork");
    }

    public String serviceAccountName() {
        return reader.text(spec(), "serviceAccountName");
    }

    /// The API server fills in `Always`.
    public String restartPolicy() {
        var policy = reader.text(spec(), "restartPolicy");
        return policy.isEmpty() ? "Always" : policy;
    }

    public OptionalLong terminationGracePeriodSeconds() {
        return reader.findCount(spec(), "terminationGracePeriodSeconds");
    }

    /// The ports of all containers, as they are written there.
    public List<ObjectNode> containerPorts() {
        return reader.objects(spec(), "containers", NonObjects.REFUSED).stream()
                .flatMap(container -> reader.objects(container, "ports", NonObjects.REFUSED).stream())
                .toList();
    }

    // ---- status ----

    private ObjectNode status() {
        return reader.object(json, "status");
    }

    public String phase() {
        return reader.text(status(), "phase");
    }

    /// Whether its containers have ended and do not start again.
    public boolean ended() {
        return isEnd(phase());
    }

    public static boolean isEnd(String phase) {
        return ENDS.contains(phase);
    }

    /// Why it is in that phase.
    public String reason() {
        return reader.text(status(), "reason");
    }

    /// When containers ended, of those that have.
    public List<Instant> containerEnds() {
        return reader.objects(status(), "containerStatuses", NonObjects.EMPTY).stream()
                .map(container -> reader.object(reader.object(container, "state"), "terminated"))
                .flatMap(terminated -> reader.findTime(terminated, "finishedAt").stream())
                .toList();
    }

    public String podIp() {
        return reader.text(status(), "podIP");
    }

    /// One text for each entry of `podIPs`, which is empty if the entry has none.
    public List<String> podIps(NonObjects nonObjects) {
        return reader.objects(status(), "podIPs", nonObjects).stream()
                .map(entry -> reader.text(entry, "ip"))
                .toList();
    }

    /// All addresses that it reports, `podIP` first.
    public List<String> addresses(NonObjects nonObjects) {
        return Stream.concat(Stream.of(podIp()), podIps(nonObjects).stream())
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }
}
