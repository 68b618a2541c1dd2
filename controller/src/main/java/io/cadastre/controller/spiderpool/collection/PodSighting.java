package io.cadastre.controller.spiderpool.collection;

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
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.ObjectMeta;
import io.cadastre.wire.kubernetes.PodDocument;
import java.time.Duration;
import java.util.Comparator;
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

        static Owner of(ObjectMeta metadata) {
            return metadata.findController()
                    .map(owner -> new Owner(owner.apiVersion(), owner.kind(), owner.name()))
                    .orElse(NONE);
        }
    }

    /// Whose document the key is of; empty if of no pod.
    static Optional<PodKey> key(String key) {
        return PodDocument.name(key, PodKey::new);
    }

    /// @throws UnreadableDocumentException if the document is not one of a Pod
    static PodSighting read(PodKey key, Document document) {
        var pod = PodDocument.read(document, READ);
        var metadata = pod.metadata();
        long grace = pod.terminationGracePeriodSeconds().orElse(GRACE_SECONDS_DEFAULT);
        return new PodSighting(
                document.revision(),
                key,
                metadata.uid(),
                phase(pod),
                deletion(metadata, grace),
                end(pod, grace),
                reported(pod),
                addresses(pod),
                Owner.of(metadata),
                pod.nodeName());
    }

    private static Phase phase(PodDocument pod) {
        return switch (pod.phase()) {
            case "", "Pending" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case String phase when PodDocument.isEnd(phase) -> Phase.ENDED;
            default -> Phase.UNKNOWN;
        };
    }

    private static Deletion deletion(ObjectMeta metadata, long grace) {
        return metadata.deletionTimestamp()
                .<Deletion>map(at -> new Deletion.Begun(
                        at,
                        Duration.ofSeconds(metadata.deletionGracePeriodSeconds().orElse(grace))))
                .orElseGet(Deletion.NotBegun::new);
    }

    private static End end(PodDocument pod, long grace) {
        return pod.containerEnds().stream()
                .max(Comparator.naturalOrder())
                .<End>map(at -> new End.At(at, Duration.ofSeconds(grace)))
                .orElseGet(End.Unknown::new);
    }

    private static Reported reported(PodDocument pod) {
        if (pod.hostNetwork()) {
            return Reported.OF_NODE;
        }
        return pod.podIps(NonObjects.EMPTY).isEmpty() && pod.podIp().isEmpty() ? Reported.NONE : Reported.OWN;
    }

    private static List<Address> addresses(PodDocument pod) {
        return pod.addresses(NonObjects.EMPTY).stream()
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
