package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.TopController;
import io.cadastre.engine.pool.keep.Succession;
import io.cadastre.engine.pool.keep.Succession.Successor;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.ObjectMeta;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads from the documents of StatefulSets and virtual machines which pods leave their addresses to successors, and
/// whether a successor is expected.
record Successions(Datastore store, PoolAgentSettings settings) {

    private static final String STATEFUL_SETS = "/cadastre/apis/apps/v1/statefulsets/";
    private static final String KUBEVIRT = "/cadastre/apis/kubevirt.io/v1/";
    private static final String MACHINE_INSTANCES = KUBEVIRT + "virtualmachineinstances/";
    private static final String MACHINES = KUBEVIRT + "virtualmachines/";
    private static final String MIGRATIONS = KUBEVIRT + "virtualmachineinstancemigrations/";

    private static final String MIGRATION_ANNOTATION = "kubevirt.io/migrationJobName";

    private static final Pattern POD_OF_STATEFUL_SET = Pattern.compile("(.*)-([0-9]{1,18})");

    /// Whether the addresses of a pod stay for the pod that follows it.
    Succession of(TopController controller) {
        return switch (controller.apiVersion() + " " + controller.kind()) {
            case "apps/v1 StatefulSet" -> ofStatefulSet();
            case "kubevirt.io/v1 VirtualMachineInstance" ->
                settings.has(SpiderpoolSwitch.KUBEVIRT_STATIC_IP) && isName(controller.name())
                        ? new Succession.SameMachine(controller.name())
                        : new Succession.None();
            default -> new Succession.None();
        };
    }

    private Succession ofStatefulSet() {
        return settings.has(SpiderpoolSwitch.STATEFUL_SET) ? new Succession.SameName() : new Succession.None();
    }

    /// A name with a slash could be that of something else.
    private static boolean isName(String text) {
        return !text.isEmpty() && text.indexOf('/') < 0;
    }

    /// Whether another pod is going to have the addresses of a pod that ends.
    Successor successor(PodKey pod, Succession succession) {
        boolean expected =
                switch (succession) {
                    case Succession.None _ -> false;
                    case Succession.SameName _ -> expectsPod(pod);
                    case Succession.SameMachine(var machine) -> expectsPodOfMachine(pod.namespace(), machine);
                };
        return expected ? Successor.EXPECTED : Successor.NOT_EXPECTED;
    }

    /// The same for a pod that is gone, of which only the name is known. One of a virtual machine cannot be recognised
    /// by it.
    Successor successorOfGone(PodKey pod) {
        return successor(pod, ofStatefulSet());
    }

    /// Whether a StatefulSet has a pod of this name.
    private boolean expectsPod(PodKey pod) {
        var name = POD_OF_STATEFUL_SET.matcher(pod.name());
        if (!name.matches()) {
            return false;
        }
        var key = "%s%s/%s".formatted(STATEFUL_SETS, pod.namespace(), name.group(1));
        // What cannot be read may be there: only a store without a place for such documents says so.
        if (!store.hasPlace(key)) {
            return true;
        }
        return document(key)
                .map(found -> hasOrdinal(found, Long.parseLong(name.group(2))))
                .orElse(false);
    }

    private static boolean hasOrdinal(Document set, long ordinal) {
        var reader = new Fields(set.key());
        var spec = reader.object(Json.readObject(set.key(), set.value()), "spec");
        long start = reader.count(reader.object(spec, "ordinals"), "start");
        // The API server fills in 1.
        long replicas = reader.findCount(spec, "replicas").orElse(1);
        return start <= ordinal && ordinal - start < replicas;
    }

    private boolean expectsPodOfMachine(String namespace, String machine) {
        var instanceKey = "%s%s/%s".formatted(MACHINE_INSTANCES, namespace, machine);
        if (!store.hasPlace(instanceKey)) {
            return true;
        }
        var instance = document(instanceKey).map(ObjectMeta::read);
        if (instance.isPresent()) {
            if (!instance.get().terminating()) {
                return true;
            }
            if (!instance.get().isControlledBy(List.of("VirtualMachine"))) {
                return false;
            }
        }
        return document("%s%s/%s".formatted(MACHINES, namespace, machine))
                .map(ObjectMeta::read)
                .filter(metadata -> !metadata.terminating())
                .isPresent();
    }

    /// Whether the pod is the target of a live migration: the source has the address until it ends, and answers for
    /// it.
    boolean migrating(PodRecords.Pod pod) {
        return switch (of(pod.owner())) {
            case Succession.None _, Succession.SameName _ -> false;
            case Succession.SameMachine _ ->
                Optional.ofNullable(pod.annotations().get(MIGRATION_ANNOTATION))
                        .filter(Successions::isName)
                        .map(name -> "%s%s/%s".formatted(MIGRATIONS, pod.key().namespace(), name))
                        .flatMap(this::document)
                        .isPresent();
        };
    }

    private Optional<Document> document(String key) {
        return Optional.of(key).filter(Keys::fits).flatMap(store::get);
    }
}
