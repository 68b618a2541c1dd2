package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// What holds for the cluster. There is one document, and users write its spec alone.
final class ClusterInformationKind implements CalicoKind {

    private static final Traits TRAITS = CalicoKind.traits(
                    "ClusterInformation",
                    "clusterinformations",
                    PrinterColumn.always("READY", "/spec/datastoreReady"),
                    PrinterColumn.wide("GUID", "/spec/clusterGUID"),
                    PrinterColumn.wide("VERSION", "/spec/calicoVersion"))
            .writtenWith(CalicoStructs.CLUSTER);

    private static final String NAME = "default";

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public List<ResourceFault> faults(Fields reader, ObjectNode given) {
        var name = given.path(CalicoResource.METADATA).path("name").asText();
        if (!name.equals(NAME)) {
            return List.of(new ResourceFault("Metadata.Name", name, "there is only one, named default"));
        }
        reader.flag(reader.object(given, CalicoResource.SPEC), "datastoreReady");
        return List.of();
    }

    @Override
    public ObjectNode create(String name, ObjectNode given, UUID uid, Instant now) {
        return CalicoKind.super.create(name, specAlone(given), uid, now);
    }

    @Override
    public ObjectNode replace(String name, ObjectNode given, ObjectNode stored) {
        return CalicoKind.super.replace(name, specAlone(given), stored);
    }

    private static ObjectNode specAlone(ObjectNode given) {
        var json = Json.emptyObject();
        json.set(CalicoResource.SPEC, given.path(CalicoResource.SPEC));
        return json;
    }
}
