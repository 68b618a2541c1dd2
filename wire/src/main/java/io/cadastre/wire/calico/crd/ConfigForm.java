package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;

/// The configuration as an `IPAMConfig`, or an `IPAMConfiguration` in the newer group.
final class ConfigForm extends IpamForm {

    private static final String NAME = "default";

    private static final String STRICT = "strict_affinity";
    private static final String STRICT_HERE = "strictAffinity";
    private static final String AUTO = "auto_allocate_blocks";
    private static final String AUTO_HERE = "autoAllocateBlocks";
    private static final String BLOCKS_MAX = "maxBlocksPerHost";

    ConfigForm(ApiGroup group) {
        super(group, resource(group));
    }

    private static ApiResource resource(ApiGroup group) {
        return switch (group) {
            case CRD_V1 -> ObjectMetadata.resource(group, "ipamconfigs", "IPAMConfig", Removal.AT_ONCE);
            case PROJECT_V3 ->
                ObjectMetadata.resource(group, "ipamconfigurations", "IPAMConfiguration", Removal.AT_ONCE);
        };
    }

    @Override
    Optional<String> name(CalicoKey key) {
        return key instanceof CalicoKey.OfConfig ? Optional.of(NAME) : Optional.empty();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return CalicoKeys.CONFIG.startsWith(prefix) ? List.of(Scope.all(resource())) : List.of();
    }

    @Override
    Optional<CalicoKey> key(ObjectNode object) {
        return ObjectMetadata.name(object).equals(NAME) ? Optional.of(new CalicoKey.OfConfig()) : Optional.empty();
    }

    /// The document leaves out what is false or zero; here some of it is required.
    @Override
    ObjectNode spec(CalicoKey key, ObjectNode document) {
        var spec = Json.emptyObject();
        spec.put(STRICT_HERE, document.path(STRICT).asBoolean(false));
        spec.put(AUTO_HERE, document.path(AUTO).asBoolean(false));
        if (group() == ApiGroup.PROJECT_V3 && !document.has(BLOCKS_MAX)) {
            spec.put(BLOCKS_MAX, 0);
        }
        ObjectMetadata.putMissing(spec, document, STRICT, AUTO);
        return spec;
    }

    @Override
    ObjectNode document(ObjectNode spec) {
        var document = Json.emptyObject();
        if (spec.path(STRICT_HERE).asBoolean(false)) {
            document.put(STRICT, true);
        }
        if (spec.path(AUTO_HERE).asBoolean(false)) {
            document.put(AUTO, true);
        }
        if (!spec.path(BLOCKS_MAX).toString().equals("0")) {
            ObjectMetadata.putMissing(document, spec, STRICT_HERE, AUTO_HERE);
        } else {
            ObjectMetadata.putMissing(document, spec, STRICT_HERE, AUTO_HERE, BLOCKS_MAX);
        }
        return document;
    }
}
