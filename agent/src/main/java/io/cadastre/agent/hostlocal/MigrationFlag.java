package io.cadastre.agent.hostlocal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceView;
import io.cadastre.wire.calico.resource.StoredResource;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// Marks the store of the whole cluster as not to be written, while nodes migrate.
///
/// It is the cluster's own flag, and it lists the nodes for which it is up: the last of them takes it down.
/// A flag that was up before stays up. A process that dies leaves it up, and the next migration of the same
/// node takes it down.
final class MigrationFlag {

    private static final CalicoKey KEY = new CalicoKey.OfClusterInformation();

    /// The nodes that migrate, divided by commas.
    private static final String NODES = "cadastre.io/migrating-nodes";

    /// Records that the flag was up before the migration.
    private static final String UP_BEFORE = "cadastre.io/not-ready-before";

    private static final String READY = "datastoreReady";

    private final AgentContext context;
    private final Registrar<ResourceView, DocumentChange> registrar;
    private final String node;

    MigrationFlag(AgentContext context, String node) {
        this.context = context;
        this.registrar = context.registrar(new ResourceBook(context.store()));
        this.node = node;
    }

    void raise() {
        enact("raise", this::raised);
    }

    void lower() {
        enact("lower", MigrationFlag.this::lowered);
    }

    private void enact(String operation, Function<ClusterInformationDocument, ObjectNode> edit) {
        var fresh = ClusterInformationDocument.create(context.freshUid(), context.freshUid(), context.now());
        registrar.enact(new Request<ResourceView, DocumentChange, Boolean>(
                "cni upgrade %s: %s the flag".formatted(node, operation), view -> decide(view, fresh, edit)));
    }

    private static Decision<DocumentChange, Boolean> decide(
            ResourceView view,
            ClusterInformationDocument fresh,
            Function<ClusterInformationDocument, ObjectNode> edit) {
        var stored = view.find(CalicoKinds.CLUSTER, "default");
        var before = stored.map(MigrationFlag::document).orElse(fresh);
        var after = CalicoDocument.decode(KEY, Json.write(edit.apply(before)));
        if (after.encode().equals(before.encode())) {
            return new Decision<>(false, List.of(), List.of());
        }
        return new Decision<>(
                true,
                List.of(new DocumentChange.Put(
                        KEY.text(),
                        after.encode(),
                        (stored.isPresent() ? "rewrite" : "create") + " ClusterInformation default")),
                List.of());
    }

    private static ClusterInformationDocument document(StoredResource stored) {
        return (ClusterInformationDocument) CalicoDocument.decode(KEY, stored.content());
    }

    private ObjectNode raised(ClusterInformationDocument document) {
        var json = document.json();
        var nodes = nodes(json);
        if (nodes.isEmpty() && !document.ready()) {
            annotations(json).put(UP_BEFORE, "true");
        }
        nodes.add(node);
        annotations(json).put(NODES, String.join(",", nodes));
        json.withObject("/spec").put(READY, false);
        return json;
    }

    private ObjectNode lowered(ClusterInformationDocument document) {
        var json = document.json();
        var nodes = nodes(json);
        if (!nodes.remove(node)) {
            return json;
        }
        var annotations = annotations(json);
        if (!nodes.isEmpty()) {
            annotations.put(NODES, String.join(",", nodes));
            return json;
        }
        annotations.remove(NODES);
        if (annotations.remove(UP_BEFORE) == null) {
            json.withObject("/spec").put(READY, true);
        }
        return json;
    }

    private static ObjectNode annotations(ObjectNode json) {
        return json.withObject("/metadata/annotations");
    }

    private static SortedSet<String> nodes(ObjectNode json) {
        var text = json.path("metadata").path("annotations").path(NODES).asText("");
        var nodes = new TreeSet<String>();
        Stream.of(text.split(",", -1)).filter(name -> !name.isEmpty()).forEach(nodes::add);
        return nodes;
    }
}
