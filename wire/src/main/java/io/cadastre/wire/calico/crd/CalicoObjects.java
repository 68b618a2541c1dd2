package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Which object of the Kubernetes API holds which of Calico's documents.
///
/// The records of hosts, which only etcd has, are nowhere. Endpoints can be listed, but none of them has
/// an object of its own.
public final class CalicoObjects implements ResourceMap {

    private final List<ObjectForm> forms;

    public CalicoObjects(ApiGroup group) {
        this.forms = List.of(
                new BlockForm(group),
                new AffinityForm(group),
                new HandleForm(group),
                new ConfigForm(group),
                ResourceForm.of(
                        group,
                        "ippools",
                        "IPPool",
                        CalicoKeys.POOLS,
                        key -> key instanceof CalicoKey.OfPool(var name) ? Optional.of(name) : Optional.empty(),
                        name -> new CalicoKey.OfPool(name).text()),
                ResourceForm.of(
                        group,
                        "ipreservations",
                        "IPReservation",
                        CalicoKeys.RESERVATIONS,
                        key -> key instanceof CalicoKey.OfReservation(var name) ? Optional.of(name) : Optional.empty(),
                        name -> new CalicoKey.OfReservation(name).text()),
                ResourceForm.of(
                        group,
                        "clusterinformations",
                        "ClusterInformation",
                        new CalicoKey.OfClusterInformation().text(),
                        key -> key instanceof CalicoKey.OfClusterInformation
                                ? Optional.of("default")
                                : Optional.empty(),
                        _ -> new CalicoKey.OfClusterInformation().text()),
                new ControllersForm(group),
                new NodeForm(),
                new PodForm());
    }

    /// The node of Calico that a node of Kubernetes is. One that cannot be read stays as it is: then it
    /// cannot be read as Calico's either.
    ///
    /// @param node with a key of [CoreKeys#NODES]
    public static Document nodeOf(Document node) {
        var value = node.value();
        try {
            if (new NodeForm().read(Json.readObject(node.key(), value))
                    instanceof Content.Present(var _, var calicos)) {
                value = calicos;
            }
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            // Said above.
        }
        return new Document(nodeKeyOf(node.key()), value, node.revision());
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
        return CalicoKeys.parse(key)
                .map(parsed -> locate(form -> form.name(parsed)))
                .orElseGet(() -> locate(form -> form.nameOfUnknown(key)));
    }

    private Optional<ObjectName> locate(Function<ObjectForm, Optional<String>> nameIn) {
        for (var form : forms) {
            var name = nameIn.apply(form);
            if (name.isPresent()) {
                return Optional.of(new ObjectName(form.resource(), "", name.get()));
            }
        }
        return Optional.empty();
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
        var parsed = parsed(key);
        return Json.write(form(parsed).create(parsed, Json.readObject(key, value)));
    }

    @Override
    public Bytes update(Bytes current, String key, Bytes value) {
        var parsed = parsed(key);
        return Json.write(form(parsed).update(object(key, current), parsed, Json.readObject(key, value)));
    }

    @Override
    public Bytes tombstone(ApiResource resource, Bytes current) {
        return Json.write(form(resource).tombstone(object(resource.kind(), current)));
    }

    private static ObjectNode object(String name, Bytes current) {
        return Json.readObject(name, current);
    }

    private static CalicoKey parsed(String key) {
        return CalicoKeys.parse(key)
                .orElseThrow(() -> new IllegalArgumentException("'%s' is no key of Calico's".formatted(key)));
    }

    private ObjectForm form(CalicoKey key) {
        return forms.stream()
                .filter(form -> form.name(key).isPresent())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("%s has no object in Kubernetes".formatted(key.text())));
    }

    private ObjectForm form(ApiResource resource) {
        return forms.stream()
                .filter(form -> form.resource().equals(resource))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s are no objects of Calico's".formatted(resource.qualifiedPlural())));
    }
}
