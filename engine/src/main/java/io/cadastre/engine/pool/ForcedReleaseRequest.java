package io.cadastre.engine.pool;

/// Takes back what a pod has, although it lives.
///
/// @param uid that of the pod
public record ForcedReleaseRequest(PodKey key, String uid) {}
