package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;

/// The `ClusterInformation` named `default` as JSON.
public final class ClusterInformationDocument implements CalicoDocument {

    private static final String KIND = "ClusterInformation";
    private static final String NAME = "default";
    private static final String GUID = "clusterGUID";
    private static final String READY = "datastoreReady";

    private final ObjectNode json;
    private final boolean ready;
    private final String calicoVersion;

    private ClusterInformationDocument(ObjectNode json, boolean ready, String calicoVersion) {
        this.json = json;
        this.ready = ready;
        this.calicoVersion = calicoVersion;
    }

    /// The information about a cluster that is new and ready.
    public static ClusterInformationDocument create(UUID cluster, UUID uid, Instant now) {
        var given = Json.emptyObject();
        var hex = HexFormat.of();
        given.putObject(CalicoResource.SPEC)
                .put(
                        GUID,
                        hex.toHexDigits(cluster.getMostSignificantBits())
                                + hex.toHexDigits(cluster.getLeastSignificantBits()))
                .put(READY, true);
        var json = CalicoResource.create(KIND, NAME, given, uid, now);
        return new ClusterInformationDocument(json, true, "");
    }

    static ClusterInformationDocument read(Fields reader, ObjectNode json) {
        var spec = reader.object(json, CalicoResource.SPEC);
        return new ClusterInformationDocument(
                json, Fields.absent(spec.path(READY)) || reader.flag(spec, READY), reader.text(spec, "calicoVersion"));
    }

    /// Whether the store may be written. While it is migrated, it may not.
    public boolean ready() {
        return ready;
    }

    /// The release that the cluster says it has; empty if it does not say.
    public String calicoVersion() {
        return calicoVersion;
    }

    /// A copy of the document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    @Override
    public Bytes encode() {
        return Json.write(json);
    }
}
