package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;

/// A block as an `IPAMBlock`.
final class BlockForm extends IpamForm {

    private static final String CIDR = "cidr";
    private static final String AFFINITY = "affinity";
    private static final String CLAIMED = "affinity_claim_time";
    private static final String CLAIMED_HERE = "affinityClaimTime";
    private static final String ATTRIBUTES = "attributes";

    /// Not needed any more, but the schema of the objects requires it.
    private static final String STRICT = "strictAffinity";

    /// The fields of the document in the order in which Calico writes them to etcd.
    private static final List<String> FIELDS = List.of(
            "allocations",
            "unallocated",
            ATTRIBUTES,
            "sequenceNumber",
            "sequenceNumberForAllocation",
            ObjectMetadata.DELETED);

    BlockForm(ApiGroup group) {
        super(group, ObjectMetadata.resource(group, "ipamblocks", "IPAMBlock", Removal.MARKED_FIRST));
    }

    @Override
    Optional<String> name(CalicoKey key) {
        return key instanceof CalicoKey.OfBlock(var cidr) ? Optional.of(ObjectNames.block(cidr)) : Optional.empty();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return ObjectForm.meets(prefix, CalicoKeys.BLOCKS) ? List.of(Scope.all(resource())) : List.of();
    }

    @Override
    Optional<CalicoKey> key(ObjectNode object) {
        return prefix(object).map(CalicoKey.OfBlock::new);
    }

    static Optional<Prefix> prefix(ObjectNode object) {
        try {
            return Optional.of(
                    Prefix.parse(object.path(ObjectMetadata.SPEC).path(CIDR).asText()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    @Override
    ObjectNode spec(CalicoKey key, ObjectNode document) {
        var spec = Json.emptyObject();
        for (var field : document.properties()) {
            switch (field.getKey()) {
                case AFFINITY -> {
                    if (!field.getValue().isNull()) {
                        spec.set(AFFINITY, field.getValue());
                    }
                }
                case CLAIMED -> spec.set(CLAIMED_HERE, field.getValue());
                case ATTRIBUTES -> {
                    if (field.getValue().isNull()) {
                        spec.putArray(ATTRIBUTES);
                    } else {
                        spec.set(ATTRIBUTES, field.getValue());
                    }
                }
                default -> spec.set(field.getKey(), field.getValue());
            }
        }
        spec.put(STRICT, false);
        return spec;
    }

    @Override
    ObjectNode document(ObjectNode spec) {
        var document = Json.emptyObject();
        document.set(CIDR, spec.path(CIDR));
        if (ObjectMetadata.isNothing(spec.path(AFFINITY))) {
            document.putNull(AFFINITY);
        } else {
            document.set(AFFINITY, spec.path(AFFINITY));
        }
        if (!ObjectMetadata.isNothing(spec.path(CLAIMED_HERE))) {
            document.set(CLAIMED, spec.path(CLAIMED_HERE));
        }
        for (var name : FIELDS) {
            if (spec.has(name)) {
                document.set(name, spec.get(name));
            }
        }
        ObjectMetadata.putMissing(document, spec, STRICT, CLAIMED_HERE);
        return document;
    }
}
