package io.cadastre.engine.pool.subnet;

import io.cadastre.engine.Because;
import java.util.List;
import java.util.Optional;

/// Finds the pool that is made for an application.
final class AutoPools {

    private AutoPools() {}

    /// The first pool of the application of this name, also if it was made for an earlier one. A pool that goes with
    /// an earlier one is not for it.
    static Optional<SubnetPool> find(SubnetView view, SubnetClaim claim, List<Because> because) {
        for (var pool : view.poolsOf(claim.subnet())) {
            var purpose = pool.purpose();
            if (purpose.isEmpty() || !isOf(pool, purpose.get(), claim)) {
                continue;
            }
            if (purpose.get().uid().equals(claim.uid())) {
                return Optional.of(pool);
            }
            if (purpose.get().reclaim() == ReclaimPolicy.KEEP && !pool.pool().terminating()) {
                because.add(
                        new SubnetReason.Inherited(pool.name(), purpose.get().uid()));
                return Optional.of(pool);
            }
            because.add(
                    new SubnetReason.LeftToReclaim(pool.name(), purpose.get().uid()));
        }
        return Optional.empty();
    }

    private static boolean isOf(SubnetPool pool, ApplicationPool purpose, SubnetClaim claim) {
        return purpose.application().equals(claim.application())
                && purpose.nic().equals(claim.nic())
                && pool.pool().family() == claim.family();
    }
}
