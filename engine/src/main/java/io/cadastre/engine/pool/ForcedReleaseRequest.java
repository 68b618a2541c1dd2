package io.cadastre.engine.pool;

/// Takes back what a pod has, although it lives.
///
/// @param key the name under which it is recorded
/// @param uid that of the pod
public record ForcedReleaseRequest(PodKey key, String uid) {}
