package io.cadastre.engine.pool;

/// What a pod belongs to in the end: a Deployment rather than its ReplicaSet. A pod that belongs to nothing
/// is its own.
public record TopController(String apiVersion, String kind, String name) {

    /// The group of the API; empty for the core group.
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /// The version without the group.
    public String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
}
