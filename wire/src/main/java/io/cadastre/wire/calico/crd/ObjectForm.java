package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.CalicoKey;
import java.util.List;
import java.util.Optional;

/// How the documents of one kind are objects.
interface ObjectForm {

    ApiResource resource();

    /// The name of the object that holds the document; empty if the document is of another kind.
    Optional<String> name(CalicoKey key);

    /// The name of the object that holds what is under a key that no [CalicoKey] is; empty if it is of
    /// another kind.
    default Optional<String> nameOfUnknown(String key) {
        return Optional.empty();
    }

    /// What holds all documents of this kind under the prefix; empty if there are none.
    List<Scope> scopes(String prefix);

    Content read(ObjectNode object);

    ObjectNode create(CalicoKey key, ObjectNode document);

    ObjectNode update(ObjectNode current, CalicoKey key, ObjectNode document);

    ObjectNode tombstone(ObjectNode current);

    /// Whether one of the two begins with the other, so that keys may be under both.
    static boolean meets(String prefix, String keys) {
        return prefix.startsWith(keys) || keys.startsWith(prefix);
    }
}
