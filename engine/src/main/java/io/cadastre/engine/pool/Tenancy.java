package io.cadastre.engine.pool;

/// Who has an address of a pool.
///
/// @param pod the namespace, a slash and the name
public record Tenancy(String pod, String podUid) {

    public static Tenancy of(PodKey pod, String uid) {
        return new Tenancy(pod.toString(), uid);
    }
}
