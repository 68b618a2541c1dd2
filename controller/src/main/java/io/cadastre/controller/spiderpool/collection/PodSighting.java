package io.cadastre.controller.spiderpool.collection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.collect.Keeping;
import io.cadastre.engine.pool.collect.ObservedPod;
import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.End;
import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.engine.pool.collect.ObservedPod.Reported;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A Pod of Kubernetes as its document shows it. What depends on its owner and its node is not known from that.
///
/// @param revision of the document
record PodSighting(
        long revision,
        PodKey key,
        String uid,
        Phase phase,
        Deletion deletion,
        End end,
        Reported reported,
        List<Address> addresses,
        Owner owner,
        String node) {

    private static final long GRACE_SECONDS_DEFAULT = 30;

    private static final FieldSelection READ = FieldSelection.of(List.of(
            List.of("metadata", "uid"),
            List.of("metadata", "deletionTimestamp"),
            List.of("metadata", "deletionGracePeriodSeconds"),
            List.of("metadata", "ownerReferences"),
            List.of("spec", "nodeName"),
            List.of("spec", "hostNetwork"),
            List.of("spec", "terminationGracePeriodSeconds"),
            List.of("status", "phase"),
            List.of("status", "podIP"),
            List.of("status", "podIPs"),
            List.of("status", "containerStatuses")));

    /// What an object belongs to; empty texts if to nothing.
    record Owner(String apiVersion, String kind, String name) {

        private static final Owner NONE = new Owner("", "", "");

        /// Whether it is a virtual machine of KubeVirt.
        boolean machine() {
            return kind.equals("VirtualMachineInstance") && apiVersion.equals("kubevirt.io/v1");
        }

        static Owner of(Fields reader, ObjectNode metadata) {
            for (var element : reader.array(metadata, "ownerReferences")) {
                if (element instanceof ObjectNode reference && reader.flag(reference, "controller")) {
                    return new Owner(
                            reader.text(reference, "apiVersion"),
                            reader.text(reference, "kind"),
                            reader.text(reference, "name"));
                }
            }
            return NONE;
        }
    }

    /// Whose document the key is of; empty if of no pod.
    static Optional<PodKey> key(String key) {
        var rest = key.substring(CoreKeys.PODS.length());
        int slash = rest.indexOf('/');
        return slash <= 0 || slash == rest.length() - 1 || rest.indexOf('/', slash + 1) >= 0
                ? Optional.empty()
                : Optional.of(new PodKey(rest.substring(0, slash), rest.substring(slash + 1)));
    }

    /// @throws UnreadableDocumentException if the document is not one of a Pod
    static PodSighting read(PodKey key, Document document) {
        var reader = new Fields(document.key());
        var json = Json.readObject(document.key(), document.value(), READ);
        var metadata = reader.object(json, "metadata");
        var spec = reader.object(json, "spec");
        var status = reader.object(json, "status");
        var grace = Duration.ofSeconds(
                Fields.absent(spec.path("terminationGracePeriodSeconds"))
                        ? GRACE_SECONDS_DEFAULT
                        : reader.count(spec, "terminationGracePeriodSeconds"));
        return new PodSighting(
                document.revision(),
                key,
                reader.text(metadata, "uid"),
                phase(reader.text(status, "phase")),
                deletion(reader, metadata, grace),
                end(reader, status, grace),
                reported(reader, spec, status),
                addresses(reader, status),
                Owner.of(reader, metadata),
                reader.text(spec, "nodeName"));
    }

    private static Phase phase(String text) {
        return switch (text) {
            case "", "Pending" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case "Succeeded", "Failed" -> Phase.ENDED;
            default -> Phase.UNKNOWN;
        };
    }

    private static Deletion deletion(Fields reader, ObjectNode metadata, Duration grace) {
        var timestamp = reader.text(metadata, "deletionTimestamp");
        if (timestamp.isEmpty()) {
            return new Deletion.NotBegun();
        }
        var own = "deletionGracePeriodSeconds";
        return new Deletion.Begun(
                instant(reader, timestamp, "deletionTimestamp"),
                Fields.absent(metadata.path(own)) ? grace : Duration.ofSeconds(reader.count(metadata, own)));
    }

    private static End end(Fields reader, ObjectNode status, Duration grace) {
        Optional<Instant> last = Optional.empty();
        for (var element : reader.array(status, "containerStatuses")) {
            if (element instanceof ObjectNode container) {
                var terminated = reader.object(reader.object(container, "state"), "terminated");
                var finished = reader.text(terminated, "finishedAt");
                if (!finished.isEmpty()) {
                    var at = instant(reader, finished, "finishedAt");
                    last = last.filter(at::isBefore).or(() -> Optional.of(at));
                }
            }
        }
        return last.<End>map(at -> new End.At(at, grace)).orElseGet(End.Unknown::new);
    }

    private static Instant instant(Fields reader, String text, String name) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException _) {
            throw reader.wrong(name, "a time");
        }
    }

    private static Reported reported(Fields reader, ObjectNode spec, ObjectNode status) {
        if (reader.flag(spec, "hostNetwork")) {
            return Reported.OF_NODE;
        }
        return reader.array(status, "podIPs").isEmpty()
                        && reader.text(status, "podIP").isEmpty()
                ? Reported.NONE
                : Reported.OWN;
    }

    private static List<Address> addresses(Fields reader, ObjectNode status) {
        var texts = new ArrayList<String>();
        texts.add(reader.text(status, "podIP"));
        for (var element : reader.array(status, "podIPs")) {
            if (element instanceof ObjectNode reported) {
                texts.add(reader.text(reported, "ip"));
            }
        }
        return texts.stream()
                .flatMap(text -> IpText.address(text).stream())
                .distinct()
                .toList();
    }

    /// The virtual machine that it belongs to, under whose name its addresses are recorded.
    Optional<PodKey> machine() {
        return owner.machine() ? Optional.of(new PodKey(key.namespace(), owner.name())) : Optional.empty();
    }

    ObservedPod observed(Keeping keeping, NodeHealth health) {
        return new ObservedPod(key, uid, phase, deletion, end, reported, keeping, health, addresses);
    }
}
