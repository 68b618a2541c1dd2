package io.cadastre.engine.pool.collect;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolRecord;
import java.time.Instant;

/// Judges one record of a pool.
///
/// @param record as it was read before the endpoint and the pod were
/// @param endpoint as it was read before the pod was
public record CollectRequest(
        String pool,
        Address address,
        PodKey key,
        PoolRecord record,
        KnownEndpoint endpoint,
        KnownPod pod,
        CollectSettings settings,
        Instant now) {}
