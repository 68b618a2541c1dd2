package io.cadastre.controller.spiderpool.subnet;

import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;

/// Something to look at.
sealed interface SubnetTask {

    /// Whether there is a subnet.
    record FindSubnets() implements SubnetTask {}

    /// All pools and subnets that are known.
    record Resync() implements SubnetTask {}

    /// What an application asks for.
    record Serve(WorkloadKind kind, OwnerApplication application) implements SubnetTask {}

    /// What an application left.
    record Reclaim(OwnerApplication application, String uid) implements SubnetTask {}

    /// What a subnet notes.
    record Tend(String subnet) implements SubnetTask {}

    /// What a subnet of this prefix notes, if there is one.
    record Adopt(String cidr) implements SubnetTask {}

    /// Whether a pool is still wanted.
    record Judge(String pool) implements SubnetTask {}
}
