package io.cadastre.controller.spiderpool.collection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.spiderpool.collection.PodSighting.Owner;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.collect.Keeping;
import io.cadastre.engine.pool.collect.KnownEndpoint;
import io.cadastre.engine.pool.collect.KnownPod;
import io.cadastre.engine.pool.collect.ObservedPod;
import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.ObjectMeta;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads what a store shows of pods, their endpoints, owners and nodes. What was read of an owner or a node is
/// remembered, so each look uses a new one.
public final class CollectionFacts {

    private static final String STATEFUL_SETS = "/cadastre/apis/apps/v1/statefulsets/";
    private static final String MACHINES = "/cadastre/apis/kubevirt.io/v1/virtualmachines/";
    private static final String MACHINE_INSTANCES = "/cadastre/apis/kubevirt.io/v1/virtualmachineinstances/";

    private static final String STATEFUL_SET = "StatefulSet";
    private static final String MACHINE_INSTANCE = "VirtualMachineInstance";

    /// At most eighteen digits, so that the number fits.
    private static final Pattern ORDINAL = Pattern.compile("^(.*)-([0-9]{1,18})$");

    private final Datastore store;
    private final Set<SpiderpoolSwitch> features;
    private final Map<String, Optional<ObjectNode>> objects = new HashMap<>();

    /// By namespaces.
    private final Map<String, Map<PodKey, List<PodKey>>> machinePods = new HashMap<>();

    /// Facts of one look into the store.
    ///
    /// @param features what is turned on: whether StatefulSets and virtual machines keep the addresses of their
    // pods
    public CollectionFacts(Datastore store, Set<SpiderpoolSwitch> features) {
        this.store = store;
        this.features = features;
    }

    /// The pod that a record names, which may be text that names none.
    public static PodKey named(String record) {
        int slash = record.indexOf('/');
        return slash < 0 ? new PodKey("", record) : new PodKey(record.substring(0, slash), record.substring(slash + 1));
    }

    /// Whether the text of a record has more parts than a namespace and a name. Upstream leaves such a record alone.
    public static boolean namesNoPod(PodKey key) {
        return key.name().indexOf('/') >= 0;
    }

    /// Whether there can be a pod of that name.
    private static boolean possible(PodKey key) {
        return !key.namespace().isEmpty()
                && !key.name().isEmpty()
                && !namesNoPod(key)
                && Keys.fits(SpiderKeys.endpoint(key));
    }

    // ---- pods ----

    /// The pod as the store has it now.
    public KnownPod fetchPod(PodKey key) {
        if (namesNoPod(key)) {
            return new KnownPod.Unclear("the record names no pod");
        }
        if (!possible(key)) {
            return new KnownPod.Absent();
        }
        var found = store.get(CoreKeys.PODS + key);
        if (found.isEmpty()) {
            return new KnownPod.Absent();
        }
        try {
            return known(PodSighting.read(key, found.get()));
        } catch (UnreadableDocumentException unreadable) {
            return new KnownPod.Unclear(String.valueOf(unreadable.getMessage()));
        }
    }

    /// The pod that has what is recorded, as the store has it now. The records of a virtual machine have its name, and
    /// its pods have other names.
    ///
    /// @param uid of the pod that the record names
    /// @param ofMachine the pods of a virtual machine of that name, of which one may have what is recorded
    KnownPod fetchHolder(PodKey key, String uid, List<PodKey> ofMachine) {
        var named = fetchPod(key);
        if (!(named instanceof KnownPod.Absent)) {
            return named;
        }
        return machinePod(uid, ofMachine.stream().map(this::fetchPod).toList());
    }

    /// The same where no list of Pods is at hand.
    public KnownPod fetchHolder(PodKey key, String uid) {
        return fetchHolder(
                key,
                uid,
                possible(key)
                        ? machinePods
                                .computeIfAbsent(key.namespace(), this::listPodsOfMachines)
                                .getOrDefault(key, List.of())
                        : List.of());
    }

    /// The pod with that UID. Another pod of the machine that has not ended may use the addresses: a guest that fails
    /// to move to the pod of the record runs on in the former one.
    static KnownPod machinePod(String uid, List<KnownPod> ofMachine) {
        KnownPod other = new KnownPod.Absent();
        for (var pod : ofMachine) {
            switch (pod) {
                case KnownPod.Present(var present) -> {
                    if (present.uid().equals(uid)) {
                        return pod;
                    }
                    if (present.phase() != Phase.ENDED) {
                        other = new KnownPod.Unclear(
                                "pod %s of the virtual machine runs, and the record is of another one"
                                        .formatted(present.key()));
                    }
                }
                case KnownPod.Unclear _ -> other = pod;
                case KnownPod.Absent _ -> {}
            }
        }
        return other;
    }

    /// By the machines, those of one namespace.
    private Map<PodKey, List<PodKey>> listPodsOfMachines(String namespace) {
        var pods = new HashMap<PodKey, List<PodKey>>();
        store.scan(
                CoreKeys.PODS + namespace + "/",
                page -> page.forEach(found -> PodSighting.key(found.key()).ifPresent(key -> {
                    try {
                        PodSighting.read(key, found)
                                .machine()
                                .ifPresent(machine -> pods.computeIfAbsent(machine, _ -> new ArrayList<>())
                                        .add(key));
                    } catch (UnreadableDocumentException _) {
                        // Whose it is cannot be told.
                    }
                })));
        return pods;
    }

    /// What is known of a pod that was read. Its owner and its node are read now, as far as they matter.
    KnownPod known(PodSighting sighting) {
        try {
            return new KnownPod.Present(observed(sighting));
        } catch (UnreadableDocumentException unreadable) {
            return new KnownPod.Unclear(String.valueOf(unreadable.getMessage()));
        }
    }

    /// @throws UnreadableDocumentException if its owner or its node cannot be read
    ObservedPod observed(PodSighting sighting) {
        boolean nodeMatters = sighting.deletion() instanceof Deletion.Begun || sighting.phase() == Phase.ENDED;
        return sighting.observed(
                keeping(sighting.key(), sighting.owner()), nodeMatters ? health(sighting.node()) : NodeHealth.UNKNOWN);
    }

    private NodeHealth health(String node) {
        var key = CoreKeys.NODES + node;
        var json = node.isEmpty() ? Optional.<ObjectNode>empty() : object(key);
        if (json.isEmpty()) {
            return NodeHealth.UNKNOWN;
        }
        var reader = new Fields(key);
        boolean ready = reader.objects(reader.object(json.get(), "status"), "conditions", NonObjects.EMPTY).stream()
                .anyMatch(condition -> reader.text(condition, "type").equals("Ready")
                        && reader.text(condition, "status").equals("True"));
        return ready ? NodeHealth.READY : NodeHealth.NOT_READY;
    }

    // ---- endpoints ----

    /// The endpoint as the store has it now; empty if there is none.
    ///
    /// @throws UnreadableDocumentException if it cannot be read
    Optional<PodEndpoint> findEndpoint(PodKey key) {
        return possible(key) ? store.get(SpiderKeys.endpoint(key)).map(found -> decode(key, found)) : Optional.empty();
    }

    static PodEndpoint decode(PodKey key, Document document) {
        return SpiderEndpointDocument.decode(key, document.value()).endpoint();
    }

    public KnownEndpoint fetchEndpoint(PodKey key) {
        try {
            return findEndpoint(key).map(this::known).orElseGet(KnownEndpoint.Absent::new);
        } catch (UnreadableDocumentException _) {
            return new KnownEndpoint.Unreadable();
        }
    }

    /// What is known of an endpoint that was read. It counts as unreadable if its owner cannot be read.
    KnownEndpoint known(PodEndpoint endpoint) {
        try {
            return new KnownEndpoint.Present(
                    endpoint.uid(),
                    switch (endpoint.controller().kind()) {
                        case STATEFUL_SET -> ofStatefulSet(endpoint.key());
                        case MACHINE_INSTANCE ->
                            ofMachine(endpoint.key().namespace(), endpoint.key().name());
                        default -> Keeping.NEVER;
                    });
        } catch (UnreadableDocumentException _) {
            return new KnownEndpoint.Unreadable();
        }
    }

    // ---- owners ----

    private Keeping keeping(PodKey key, Owner owner) {
        if (owner.kind().equals(STATEFUL_SET) && owner.apiVersion().equals("apps/v1")) {
            return ofStatefulSet(key);
        }
        if (owner.machine()) {
            return ofMachine(key.namespace(), owner.name());
        }
        return Keeping.NEVER;
    }

    private Keeping ofStatefulSet(PodKey pod) {
        if (!features.contains(SpiderpoolSwitch.STATEFUL_SET)) {
            return Keeping.NEVER;
        }
        var name = ORDINAL.matcher(pod.name());
        if (!name.matches()) {
            return Keeping.INVALID;
        }
        var key = STATEFUL_SETS + pod.namespace() + "/" + name.group(1);
        var json = object(key);
        if (json.isEmpty()) {
            return Keeping.INVALID;
        }
        var reader = new Fields(key);
        var spec = reader.object(json.get(), "spec");
        return Keeping.ofStatefulSet(
                Long.parseLong(name.group(2)),
                reader.count(reader.object(spec, "ordinals"), "start"),
                reader.findCount(spec, "replicas").orElse(1));
    }

    private Keeping ofMachine(String namespace, String name) {
        if (!features.contains(SpiderpoolSwitch.KUBEVIRT_STATIC_IP)) {
            return Keeping.NEVER;
        }
        var key = MACHINE_INSTANCES + namespace + "/" + name;
        var instance = object(key);
        if (instance.isPresent()) {
            if (!ObjectMeta.isTerminating(instance.get())) {
                return Keeping.VALID;
            }
            var owner = Owner.of(ObjectMeta.of(new Fields(key), instance.get()));
            if (!owner.kind().equals("VirtualMachine")) {
                return Keeping.INVALID;
            }
        }
        return object(MACHINES + namespace + "/" + name)
                .filter(machine -> !ObjectMeta.isTerminating(machine))
                .map(_ -> Keeping.VALID)
                .orElse(Keeping.INVALID);
    }

    /// @throws UnreadableDocumentException if there is something that cannot be read, or the store has no place for it
    private Optional<ObjectNode> object(String key) {
        var known = objects.get(key);
        if (known == null) {
            if (!store.hasPlace(key)) {
                throw new UnreadableDocumentException(key, "this store does not support objects of that kind");
            }
            known = store.get(key).map(document -> Json.readObject(key, document.value()));
            objects.put(key, known);
        }
        return known;
    }
}
