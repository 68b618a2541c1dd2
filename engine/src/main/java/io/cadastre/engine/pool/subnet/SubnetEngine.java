package io.cadastre.engine.pool.subnet;

import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Reclaimed;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Rest;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Tended;
import java.util.ArrayList;
import java.util.List;

/// Makes pools of subnets for applications, and takes them back, the way Spiderpool does.
public final class SubnetEngine {

    private SubnetEngine() {}

    /// Gives an application a pool of as many addresses as it asks for, of which those that pods have stay.
    public static Decision<SubnetChange, SubnetOutcome> claim(SubnetView view, SubnetClaim claim) {
        return claim(view, claim, List.of());
    }

    /// The same for a claim that is decided again.
    ///
    /// @param earlier decisions on it of which it is unknown what was written
    public static Decision<SubnetChange, SubnetOutcome> claim(
            SubnetView view, SubnetClaim claim, List<Decision<SubnetChange, SubnetOutcome>> earlier) {
        return new ClaimDecision(view, claim, earlier).decide();
    }

    /// Notes in a subnet what its pools have. One whose deletion has begun goes with the last of them. To be asked
    /// again until nothing is left to do; the pools that its outcome names are taken one by one ([#tendPool]).
    public static Decision<SubnetChange, SubnetOutcome> tend(SubnetView view, String subnet) {
        return view.findSubnet(subnet)
                .map(found -> new SubnetTending(view, found).decide())
                .orElseGet(SubnetEngine::nothing);
    }

    private static Decision<SubnetChange, SubnetOutcome> nothing() {
        return new Decision<>(new Tended(Rest.NOTHING, List.of()), List.of(), List.of());
    }

    /// Has a subnet control a pool of its prefix, or delete it if the deletion of the subnet has begun.
    public static Decision<SubnetChange, SubnetOutcome> tendPool(SubnetView view, String subnet, String pool) {
        return view.findSubnet(subnet)
                .flatMap(found ->
                        view.findPool(pool).map(candidate -> new SubnetTending(view, found).decideOn(candidate)))
                .orElseGet(SubnetEngine::nothing);
    }

    /// Gives a subnet the label by which pools find it.
    public static Decision<SubnetChange, SubnetOutcome> label(SubnetView view, String subnet) {
        return view.findSubnet(subnet)
                .map(found -> new SubnetTending(view, found).decideOnLabel())
                .orElseGet(SubnetEngine::nothing);
    }

    /// Deletes the pools of an application that does not exist any more, unless they are to be kept.
    ///
    /// @param uid that of the application
    public static Decision<SubnetChange, SubnetOutcome> reclaim(
            SubnetView view, OwnerApplication application, String uid) {
        var because = new ArrayList<Because>();
        var pools = view.pools().values().stream()
                .filter(pool -> pool.purpose()
                        .filter(purpose -> purpose.application().equals(application)
                                && purpose.uid().equals(uid))
                        .isPresent())
                .filter(pool -> reclaimed(pool, because))
                .map(SubnetPool::name)
                .toList();
        return deleting(pools, because);
    }

    private static boolean reclaimed(SubnetPool pool, List<Because> because) {
        var purpose = pool.purpose().orElseThrow();
        if (pool.pool().terminating()) {
            return false;
        }
        because.add(
                switch (purpose.reclaim()) {
                    case KEEP -> new SubnetReason.KeptForSuccessor(pool.name());
                    case RECLAIM -> new SubnetReason.ApplicationGone(pool.name(), purpose.application());
                });
        return purpose.reclaim() == ReclaimPolicy.RECLAIM;
    }

    /// Deletes a pool of which no pod has anything and whose application is gone, or another one of that name by now.
    public static Decision<SubnetChange, SubnetOutcome> reclaimUnused(SubnetView view, String name) {
        var because = new ArrayList<Because>();
        var pools = view.findPool(name).stream()
                .filter(pool -> pool.pool().records().isEmpty() && !pool.pool().damaged())
                .filter(pool ->
                        pool.purpose().filter(purpose -> gone(view, purpose)).isPresent())
                .filter(pool -> reclaimed(pool, because))
                .map(SubnetPool::name)
                .toList();
        return deleting(pools, because);
    }

    private static boolean gone(SubnetView view, ApplicationPool purpose) {
        return switch (view.state(purpose.application())) {
            case ApplicationState.Present(var uid) -> !uid.equals(purpose.uid());
            case ApplicationState.Absent _ -> true;
            case ApplicationState.Unknown _ -> false;
        };
    }

    private static Decision<SubnetChange, SubnetOutcome> deleting(List<String> pools, List<Because> because) {
        return new Decision<>(
                new Reclaimed(pools),
                pools.stream().<SubnetChange>map(SubnetChange.DeletePool::new).toList(),
                because);
    }

    /// The spec of a pool with the gateway and the routes that it leaves to its subnet.
    public static PoolSpec inheriting(AddressPool pool, PoolSubnet subnet) {
        return SubnetTending.inheriting(pool, subnet);
    }
}
