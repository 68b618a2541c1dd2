package io.cadastre.datastore.resource;

/// A kind of objects of the API, as it is named in addresses and in rules of access.
///
/// @param group empty for the core group
/// @param finalizer what keeps an object whose deletion has begun until our deletion takes it off; empty for none
public record ApiResource(
        String group,
        String version,
        String plural,
        String kind,
        Reach reach,
        Removal removal,
        Rewriting rewriting,
        String finalizer) {

    /// One that is rewritten as a whole, without a finalizer.
    public ApiResource(String group, String version, String plural, String kind, Reach reach, Removal removal) {
        this(group, version, plural, kind, reach, removal, Rewriting.WHOLE, "");
    }

    public ApiResource {
        if (version.isEmpty() || plural.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException(
                    "a resource has a version, a plural and a kind: '%s', '%s', '%s'".formatted(version, plural, kind));
        }
    }

    /// As rules of access name it: `ipamblocks.crd.projectcalico.org`.
    public String qualifiedPlural() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /// Whether names are unique in a namespace or in the cluster.
    public enum Reach {
        CLUSTER,
        NAMESPACED
    }

    /// How an object ends.
    public enum Removal {
        /// It is deleted, if it still is as it was read. Where its kind has a finalizer, the server notes the deletion
        /// first, and the finalizer is taken off then, unless the object is in use: then it stays, and the next
        /// deletion takes it off.
        AT_ONCE,

        /// It is rewritten as a tombstone, if it still is as it was read, and then deleted. The rewrite
        /// decides: from then on no reader takes the object for a document, and every process that
        /// finds the tombstone deletes it.
        MARKED_FIRST
    }

    /// What an update changes.
    public enum Rewriting {
        /// The whole object.
        WHOLE,

        /// Its status, labels and annotations. It goes to the subresource `status`, so that the right
        /// to do it does not include the right to change what the object asks for.
        STATUS,

        /// Either its status or all the rest, each of which the server takes at an address of its own. A document
        /// without a status leaves that of the object as it is. One write changes one of them.
        PER_PART
    }
}
