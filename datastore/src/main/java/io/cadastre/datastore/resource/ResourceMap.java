package io.cadastre.datastore.resource;

import io.cadastre.datastore.Bytes;
import java.util.List;
import java.util.Optional;

/// Which object holds which document, and how the one is written as the other.
///
/// All methods are pure. Objects are JSON in UTF-8, whole, as the API gave them.
public interface ResourceMap {

    /// The object that holds this key, or would hold it. Empty if no object can: then the key is always
    /// absent, and nothing can be written there. Two keys may share an object.
    Optional<ObjectName> locate(String key);

    /// The collections in which all documents under a prefix are. They may have others as well, which
    /// the store leaves out by their keys.
    List<Scope> scopes(String prefix);

    /// What an object of this kind is. Objects of the core group do not say their kind when they are
    /// listed, so it is given.
    Content read(ApiResource resource, Bytes object);

    /// The object to create for a document. It has a name and no resource version.
    Bytes create(String key, Bytes value);

    /// The current object with the document's new value in it. Whatever the document does not say stays:
    /// above all the metadata, with the UID and the resource version.
    Bytes update(Bytes current, String key, Bytes value);

    /// The current object as a tombstone, with its metadata. Asked only where [ApiResource#removal()] is
    /// [ApiResource.Removal#MARKED_FIRST].
    Bytes tombstone(ApiResource resource, Bytes current);

    /// Whether an object whose deletion begins has to stay until those who use it are gone. Asked only where
    /// [ApiResource#finalizer()] is not empty.
    default boolean inUse(ApiResource resource, Bytes object) {
        return false;
    }
}
