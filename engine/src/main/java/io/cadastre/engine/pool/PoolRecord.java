package io.cadastre.engine.pool;

/// The pod that has an address of a pool.
///
/// @param pod the namespace, a slash and the name
public record PoolRecord(String pod, String podUid) {

    public static PoolRecord of(PodKey pod, String uid) {
        return new PoolRecord(pod.toString(), uid);
    }
}
