package io.cadastre.wire.calico.crd;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.engine.block.Node;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.resource.CalicoKind;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which object of the Kubernetes API holds which of Calico's documents.
///
/// The records of hosts, which only etcd has, are nowhere. Endpoints can be listed, but none of them has
/// an object of its own.
public final class CalicoObjects implements ResourceMap {

    /// What Calico's controllers are configured with. It is read, and it is not among the kinds that users see.
    private static final ResourceKind.Traits CONTROLLERS =
            CalicoKind.traits("KubeControllersConfiguration", "kubecontrollersconfigurations");

    private final List<ObjectForm> forms;

    public CalicoObjects(ApiGroup group) {
        this(group, CalicoKinds.ALL);
    }

    /// Kinds that have no form of their own have that of any resource.
    CalicoObjects(ApiGroup group, List<? extends CalicoKind> kinds) {
        List<ObjectForm> own = List.of(
                new BlockForm(group),
                new AffinityForm(group),
                new HandleForm(group),
                new ConfigForm(group),
                new NodeForm(),
                new PodForm());
        var resources = Stream.concat(kinds.stream().map(CalicoKind::traits), Stream.of(CONTROLLERS))
                .filter(traits -> own.stream()
                        .allMatch(form -> form.scopes(traits.keys().getFirst()).isEmpty()))
                .map(traits -> ResourceForm.of(group, traits));
        this.forms = Stream.concat(own.stream(), resources).toList();
    }

    /// The node of Calico that a node of Kubernetes is; empty if it cannot be read.
    ///
    /// @param node with a key of [CoreKeys#NODES]
    public static Optional<Node> findNode(Document node) {
        try {
            var name = node.key().substring(CoreKeys.NODES.length());
            return Optional.of(NodeForm.node(
                    new Fields(node.key()), name, Json.readObject(node.key(), node.value(), NodeForm.READ)));
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The key of the node of Calico that a node of Kubernetes is.
    ///
    /// @param kubernetesKey a key of [CoreKeys#NODES]
    public static String nodeKeyOf(String kubernetesKey) {
        return new CalicoKey.OfNode(kubernetesKey.substring(CoreKeys.NODES.length())).text();
    }

    /// All kinds of objects.
    public List<ApiResource> resources() {
        return forms.stream().map(ObjectForm::resource).toList();
    }

    @Override
    public Optional<ObjectName> locate(String key) {
        return find(key)
                .map(form -> new ObjectName(form.resource(), "", form.name(key).orElseThrow()));
    }

    private Optional<ObjectForm> find(String key) {
        return forms.stream().filter(form -> form.name(key).isPresent()).findFirst();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return forms.stream().flatMap(form -> form.scopes(prefix).stream()).toList();
    }

    @Override
    public Content read(ApiResource resource, Bytes object) {
        try {
            return form(resource).read(Json.readObject(resource.kind(), object));
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return new Content.Foreign();
        }
    }

    @Override
    public Bytes create(String key, Bytes value) {
        return Json.write(form(key).create(key, Json.readObject(key, value)));
    }

    @Override
    public Bytes update(Bytes current, String key, Bytes value) {
        return Json.write(form(key).update(Json.readObject(key, current), key, Json.readObject(key, value)));
    }

    @Override
    public Bytes tombstone(ApiResource resource, Bytes current) {
        return Json.write(form(resource).tombstone(Json.readObject(resource.kind(), current)));
    }

    private ObjectForm form(String key) {
        return find(key)
                .orElseThrow(() -> new IllegalArgumentException("%s has no object in Kubernetes".formatted(key)));
    }

    private ObjectForm form(ApiResource resource) {
        return forms.stream()
                .filter(form -> form.resource().equals(resource))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s are not objects of Calico".formatted(resource.qualifiedPlural())));
    }
}
