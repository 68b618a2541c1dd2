package io.cadastre.verification.simulation.pool;

import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolReleaseRequest;

/// What a simulated process asks that serves pods: the front of a registrar.
interface PoolClient {

    PoolAllocation allocate(PoolAllocateRequest request);

    PoolRelease release(PoolReleaseRequest request);

    PoolRelease forceRelease(ForcedReleaseRequest request);
}
