package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;

/// An affinity as a `BlockAffinity`, with labels by which those of a host are found.
final class AffinityForm extends IpamForm {

    private static final String STATE = "state";
    private static final String NODE = "node";
    private static final String TYPE = "type";
    private static final String CIDR = "cidr";

    private static final String HOST = "host";
    private static final String VIRTUAL = "virtual";

    private static final String LABEL_HOST = "projectcalico.org/hostname-hash";
    private static final String LABEL_TYPE = "projectcalico.org/affinity-type";
    private static final String LABEL_VERSION = "projectcalico.org/ip-version";

    AffinityForm(ApiGroup group) {
        super(group, ObjectMetadata.resource(group, "blockaffinities", "BlockAffinity", Removal.MARKED_FIRST));
    }

    @Override
    Optional<String> name(CalicoKey key) {
        return key instanceof CalicoKey.OfAffinity(var owner, var cidr)
                ? Optional.of(ObjectNames.affinity(owner, cidr))
                : Optional.empty();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        for (var folder : List.of(CalicoKeys.HOSTS, CalicoKeys.VIRTUALS)) {
            if (prefix.startsWith(folder)) {
                var type = folder.equals(CalicoKeys.HOSTS) ? HOST : VIRTUAL;
                return List.of(new Scope(resource(), "", selector(type, prefix.substring(folder.length()))));
            }
        }
        boolean all = ObjectForm.meets(prefix, CalicoKeys.HOSTS) || ObjectForm.meets(prefix, CalicoKeys.VIRTUALS);
        return all ? List.of(Scope.all(resource())) : List.of();
    }

    /// @param rest what follows the kind of owner: `<name>/`, and perhaps `ipv4/block/`
    private static String selector(String type, String rest) {
        var parts = rest.split("/", -1);
        // Affinities of old releases have no type, so only those of virtual owners are selected by it.
        var selector = type.equals(VIRTUAL) ? LABEL_TYPE + "=" + VIRTUAL : "";
        if (parts.length < 2) {
            return selector;
        }
        selector += (selector.isEmpty() ? "" : ",") + LABEL_HOST + "=" + ObjectNames.hostHash(parts[0]);
        return switch (parts[1]) {
            case "ipv4" -> selector + "," + LABEL_VERSION + "=4";
            case "ipv6" -> selector + "," + LABEL_VERSION + "=6";
            default -> selector;
        };
    }

    @Override
    Optional<CalicoKey> key(ObjectNode object) {
        var spec = ObjectMetadata.childOrEmpty(object, ObjectMetadata.SPEC);
        var node = spec.path(NODE).asText();
        try {
            var owner = spec.path(TYPE).asText().equals(VIRTUAL) ? Owner.virtual(node) : Owner.host(node);
            return Optional.of(
                    new CalicoKey.OfAffinity(owner, Prefix.parse(spec.path(CIDR).asText())));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    @Override
    ObjectNode spec(CalicoKey key, ObjectNode document) {
        var of = (CalicoKey.OfAffinity) key;
        var spec = Json.emptyObject();
        spec.set(STATE, document.path(STATE));
        spec.put(NODE, of.owner().name());
        spec.put(TYPE, type(of.owner()));
        spec.put(CIDR, of.cidr().toString());
        putDeleted(spec, false);
        ObjectMetadata.putMissing(spec, document);
        return spec;
    }

    private static String type(Owner owner) {
        return switch (owner.kind()) {
            case HOST -> HOST;
            case VIRTUAL -> VIRTUAL;
            case FOREIGN -> throw new IllegalArgumentException("no affinity can be of '%s'".formatted(owner));
        };
    }

    @Override
    ObjectNode document(ObjectNode spec) {
        var document = Json.emptyObject();
        document.put(STATE, spec.path(STATE).asText());
        document.put(ObjectMetadata.DELETED, false);
        ObjectMetadata.putMissing(document, spec, NODE, TYPE, CIDR);
        return document;
    }

    @Override
    void complete(CalicoKey key, ObjectNode metadata) {
        var of = (CalicoKey.OfAffinity) key;
        var labels = Json.emptyObject();
        labels.put(LABEL_TYPE, type(of.owner()));
        labels.put(LABEL_HOST, ObjectNames.hostHash(of.owner().name()));
        labels.put(LABEL_VERSION, of.cidr().family() == Family.IPV4 ? "4" : "6");
        ObjectMetadata.child(metadata, ObjectMetadata.LABELS).setAll(labels);
        if (group() == ApiGroup.CRD_V1) {
            var carried = Json.emptyObject();
            carried.set(ObjectMetadata.LABELS, labels);
            ObjectMetadata.child(metadata, ObjectMetadata.ANNOTATIONS)
                    .put(ObjectMetadata.CARRIED, Json.write(carried).utf8());
        }
    }

    /// The older group has a word for it.
    @Override
    void putDeleted(ObjectNode spec, boolean deleted) {
        if (group() == ApiGroup.CRD_V1) {
            spec.put(ObjectMetadata.DELETED, Boolean.toString(deleted));
        } else {
            spec.put(ObjectMetadata.DELETED, deleted);
        }
    }
}
