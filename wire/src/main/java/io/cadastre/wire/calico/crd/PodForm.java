package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The endpoints of a cluster, which are not written there: each pod that runs with addresses of its own is
/// one. They can be listed, to see which pod uses which address, and no more.
final class PodForm implements ObjectForm {

    private static final ApiResource RESOURCE =
            new ApiResource("", "v1", "pods", "Pod", Reach.NAMESPACED, Removal.AT_ONCE);

    /// Where the addresses of a pod are before its kubelet has reported them.
    private static final String ADDRESSES = "cni.projectcalico.org/podIPs";

    @Override
    public ApiResource resource() {
        return RESOURCE;
    }

    @Override
    public Optional<String> name(String key) {
        return Optional.empty();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return ObjectForm.meets(prefix, EndpointKeys.ENDPOINTS) ? List.of(Scope.all(RESOURCE)) : List.of();
    }

    @Override
    public Content read(ObjectNode object) {
        var metadata = ObjectMetadata.childOrEmpty(object, ObjectMetadata.METADATA);
        var spec = ObjectMetadata.childOrEmpty(object, ObjectMetadata.SPEC);
        var node = spec.path("nodeName").asText();
        var addresses = addresses(object);
        boolean uses = !node.isEmpty()
                && !spec.path("hostNetwork").asBoolean(false)
                && !PodDocument.isEnd(
                        object.path(ObjectMetadata.STATUS).path("phase").asText())
                && !addresses.isEmpty();
        if (!uses) {
            return new Content.Foreign();
        }
        var pod = ObjectMetadata.name(object);
        var namespace = metadata.path("namespace").asText();
        var name = new EndpointName(node, "k8s", pod, "eth0");
        return new Content.Present(
                EndpointKeys.endpoint(namespace, name), Json.write(document(namespace, name, addresses)));
    }

    private static List<Address> addresses(ObjectNode pod) {
        var texts = new ArrayList<String>();
        for (var address : pod.path(ObjectMetadata.STATUS).path("podIPs")) {
            texts.add(address.path("ip").asText());
        }
        if (texts.isEmpty()) {
            texts.add(pod.path(ObjectMetadata.STATUS).path("podIP").asText());
            var noted = pod.path(ObjectMetadata.METADATA)
                    .path(ObjectMetadata.ANNOTATIONS)
                    .path(ADDRESSES);
            for (var prefix : noted.asText().split(",", -1)) {
                texts.add(prefix.replaceFirst("/.*", ""));
            }
        }
        var addresses = new ArrayList<Address>();
        for (var text : texts) {
            try {
                addresses.add(Address.parse(text));
            } catch (IllegalArgumentException _) {
                // It is none, or there is none yet.
            }
        }
        return addresses.stream().distinct().toList();
    }

    private static ObjectNode document(String namespace, EndpointName name, List<Address> addresses) {
        var document = Json.emptyObject();
        document.put("kind", "WorkloadEndpoint");
        document.put("apiVersion", ApiGroup.PROJECT_V3.apiVersion());
        document.putObject(ObjectMetadata.METADATA)
                .put(ObjectMetadata.NAME, name.text())
                .put("namespace", namespace);
        var spec = document.putObject(ObjectMetadata.SPEC);
        spec.put("orchestrator", name.orchestrator());
        spec.put("node", name.node());
        spec.put("pod", name.workload());
        spec.put("endpoint", name.ifname());
        var networks = spec.putArray("ipNetworks");
        for (var address : addresses) {
            networks.add("%s/%d".formatted(address, address.family().bits()));
        }
        return document;
    }

    @Override
    public ObjectNode create(String key, ObjectNode document) {
        throw new IllegalStateException("no key is a pod's");
    }

    @Override
    public ObjectNode update(ObjectNode current, String key, ObjectNode document) {
        throw new IllegalStateException("no key is a pod's");
    }

    @Override
    public ObjectNode tombstone(ObjectNode current) {
        throw new IllegalStateException("a pod is deleted at once");
    }
}
