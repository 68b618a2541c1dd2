package io.cadastre.controller.collection;

import io.cadastre.address.Address;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.Optional;

/// What a WorkloadEndpoint of Calico says about addresses. The rest, which is most of it, is not kept.
///
/// @param node what Calico calls the node; empty if it is not said
record RecordedEndpoint(String node, List<Address> addresses) {

    RecordedEndpoint {
        addresses = List.copyOf(addresses);
    }

    /// The endpoint; empty if what is written there cannot be understood.
    static Optional<RecordedEndpoint> read(Document document) {
        try {
            var reader = new Fields(document.key());
            var json = CalicoStructs.ENDPOINT.read(Json.readObject(document.key(), document.value()));
            var spec = reader.object(json, "spec");
            return Optional.of(new RecordedEndpoint(
                    reader.text(spec, "node"),
                    reader.texts(spec, "ipNetworks").stream()
                            .map(network -> Address.parse(network.replaceFirst("/.*", "")))
                            .toList()));
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The pod whose endpoint has the key; empty if the key names none.
    static Optional<Name> pod(String key) {
        var rest = key.substring(EndpointKeys.ENDPOINTS.length());
        int slash = rest.indexOf('/');
        return slash < 0
                ? Optional.empty()
                : EndpointName.find(rest.substring(slash + 1))
                        .map(name -> new Name(rest.substring(0, slash), name.workload()));
    }
}
