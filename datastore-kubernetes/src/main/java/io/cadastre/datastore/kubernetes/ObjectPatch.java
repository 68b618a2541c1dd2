package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource.Rewriting;

/// A change of some fields of one object, which the server merges into the object it has. What other writers do to
/// other fields stays, and the object need not be read first.
///
/// @param key the key of the document that the object holds
/// @param rewriting whether the object or its subresource `status` is patched; finalizers are in the object
/// @param changes the fields that change, as a JSON object of the shape of the object
/// @param beforeSending runs before each sending, after all waiting for it; what it throws keeps the patch from being
///     sent
public record ObjectPatch(String key, Merge merge, Rewriting rewriting, Bytes changes, Runnable beforeSending) {

    /// One that may be sent at any time.
    public ObjectPatch(String key, Merge merge, Rewriting rewriting, Bytes changes) {
        this(key, merge, rewriting, changes, () -> {});
    }

    /// How the server merges.
    public enum Merge {
        /// A JSON merge patch (RFC 7396): a list is replaced, and null removes a field.
        JSON("application/merge-patch+json"),

        /// A strategic merge patch: the entries of a list are merged by their key where the kind defines one, such as
        /// the type of a condition. The API server refuses it for custom resources.
        STRATEGIC("application/strategic-merge-patch+json");

        final String mediaType;

        Merge(String mediaType) {
            this.mediaType = mediaType;
        }
    }
}
