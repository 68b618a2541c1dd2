package io.cadastre.engine.pool.collect;

import io.cadastre.engine.pool.PodKey;
import java.time.Instant;

/// Releases what a pod has whose time has come.
///
/// @param uid of the pod that was traced
/// @param endpoint as it was read before the pod was
public record TracedReleaseRequest(
        PodKey key, String uid, KnownEndpoint endpoint, KnownPod pod, CollectSettings settings, Instant now) {}
