package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import java.util.List;
import java.util.Optional;

/// How the documents of one kind are objects.
interface ObjectForm {

    ApiResource resource();

    /// The name of the object that holds the document under a key; empty if it is of another kind.
    Optional<String> name(String key);

    /// What holds all documents of this kind under the prefix; empty if there are none.
    List<Scope> scopes(String prefix);

    Content read(ObjectNode object);

    ObjectNode create(String key, ObjectNode document);

    ObjectNode update(ObjectNode current, String key, ObjectNode document);

    ObjectNode tombstone(ObjectNode current);

    /// Whether one of the two begins with the other, so that keys may be under both.
    static boolean meets(String prefix, String keys) {
        return prefix.startsWith(keys) || keys.startsWith(prefix);
    }
}
