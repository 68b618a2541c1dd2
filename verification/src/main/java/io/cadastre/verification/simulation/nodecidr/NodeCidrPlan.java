package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.ProcessLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a simulation consists of, drawn from its seed.
///
/// @param load that of each process
/// @param sharedNodes how many nodes all processes ask about
/// @param registrations how many nodes appear without CIDRs, for the controller to serve
/// @param atomic whether the store has transactions; where it has none, there is one writer
public record NodeCidrPlan(
        NodeCidrConfig config,
        FaultRates faults,
        int processes,
        ProcessLoad load,
        int sharedNodes,
        int registrations,
        boolean atomic) {

    /// Sets of four to sixty-four blocks, so that some simulations run out of them.
    public static NodeCidrPlan drawn(RandomGenerator dice) {
        int blockBits = dice.nextInt(2, 7);
        var clusters = new ArrayList<Subdivision>();
        clusters.add(new Subdivision(Prefix.parse("10.244.0.0/16"), 16 + blockBits));
        if (dice.nextBoolean()) {
            clusters.add(new Subdivision(Prefix.parse("fd00:10::/48"), 48 + dice.nextInt(2, 7)));
        }
        var services = dice.nextInt(4) == 0 ? List.of(Prefix.parse("10.244.0.0/20")) : List.<Prefix>of();
        var faults = FaultRates.fairOrDrawn(dice);
        boolean atomic = dice.nextInt(4) > 0;
        return new NodeCidrPlan(
                new NodeCidrConfig(clusters, services),
                atomic ? faults : faults.without(Fault.REQUEST_LATE),
                atomic ? dice.nextInt(2, 5) : 1,
                new ProcessLoad(dice.nextInt(1, 4), dice.nextInt(3, 9)),
                dice.nextInt(1, 4),
                atomic ? dice.nextInt(0, 6) : 0,
                atomic);
    }
}
