package io.cadastre.verification.simulation;

import io.cadastre.engine.pool.AllocateRequest;
import io.cadastre.engine.pool.Allocation;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.Release;
import io.cadastre.engine.pool.ReleaseRequest;

/// What a simulated process asks that serves pods: the front of a registrar.
interface PoolOffice {

    Allocation allocate(AllocateRequest request);

    Release release(ReleaseRequest request);

    Release forceRelease(ForcedReleaseRequest request);
}
