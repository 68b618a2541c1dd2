package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;

/// A handle as an `IPAMHandle`. Its name is in small letters; how the id is spelled is in the object.
final class HandleForm extends IpamForm {

    private static final String ID = "handleID";
    private static final String BLOCK = "block";

    HandleForm(ApiGroup group) {
        super(group, ObjectMetadata.resource(group, "ipamhandles", "IPAMHandle", Removal.MARKED_FIRST));
    }

    @Override
    Optional<String> name(CalicoKey key) {
        return key instanceof CalicoKey.OfHandle(var id)
                ? Optional.of(ObjectNames.handle(id)).filter(ObjectNames::isName)
                : Optional.empty();
    }

    /// Ids that differ in case share an object, which keeps the spelling of the first.
    @Override
    CalicoKey spelled(ObjectNode current, CalicoKey key) {
        return current.has(ObjectMetadata.SPEC) ? key(current).orElse(key) : key;
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return ObjectForm.meets(prefix, CalicoKeys.HANDLES) ? List.of(Scope.all(resource())) : List.of();
    }

    @Override
    Optional<CalicoKey> key(ObjectNode object) {
        var id = object.path(ObjectMetadata.SPEC).path(ID).asText();
        try {
            return Optional.of(new CalicoKey.OfHandle(id.isEmpty() ? ObjectMetadata.name(object) : id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    @Override
    ObjectNode spec(CalicoKey key, ObjectNode document) {
        var spec = Json.emptyObject();
        spec.put(ID, ((CalicoKey.OfHandle) key).id());
        ObjectMetadata.putMissing(spec, document);
        return spec;
    }

    @Override
    ObjectNode document(ObjectNode spec) {
        var document = Json.emptyObject();
        document.set(BLOCK, ObjectMetadata.childOrEmpty(spec, BLOCK));
        document.put(ObjectMetadata.DELETED, false);
        ObjectMetadata.putMissing(document, spec, ID);
        return document;
    }
}
