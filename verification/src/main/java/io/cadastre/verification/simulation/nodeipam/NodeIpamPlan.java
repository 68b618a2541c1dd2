package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.FaultRates;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a simulation consists of, drawn from its seed.
///
/// @param controllers how many processes of which one leads
/// @param writers how many Nodes a leader writes at once
/// @param people how many people create and delete Nodes
/// @param namesEach how many Nodes each of them has at most
/// @param deeds how often each of them does something
/// @param refusalsPerThousand how often the API server refuses a patch with an error of its own
/// @param machines what is wrong with the machines of the controllers
/// @param presets whether people give Nodes CIDRs
/// @param rolling whether a process ends soon after another has begun, as when a Deployment is rolled out
record NodeIpamPlan(
        NodeCidrConfig config,
        FaultRates faults,
        int controllers,
        int writers,
        int people,
        int namesEach,
        int deeds,
        int refusalsPerThousand,
        Machines machines,
        boolean presets,
        boolean rolling) {

    /// What is wrong with machines.
    enum Machines {
        /// Nothing.
        SOUND,
        /// A process is stopped for a while, as by a machine that sleeps.
        STOPPED,
        /// A watch reports nothing for a while, and then all that happened.
        DEAF
    }

    /// Sets of two to sixteen blocks, so that many simulations run out of them.
    static NodeIpamPlan drawn(RandomGenerator dice) {
        int blockBits = dice.nextInt(1, 5);
        var clusters = new ArrayList<Subdivision>();
        clusters.add(new Subdivision(Prefix.parse("10.244.0.0/16"), 16 + blockBits));
        if (dice.nextInt(3) == 0) {
            clusters.add(new Subdivision(Prefix.parse("fd00:10::/48"), 48 + dice.nextInt(1, 5)));
        }
        var services = dice.nextInt(4) == 0 ? List.of(Prefix.parse("10.244.0.0/20")) : List.<Prefix>of();
        // The whole process is killed, and not one of its threads; and the history is compared.
        var faults = FaultRates.fairOrDrawn(dice)
                .withoutCrashes()
                .without(Fault.APPEND_FAILED, Fault.APPEND_LOST, Fault.APPEND_ANSWER_LOST);
        return new NodeIpamPlan(
                new NodeCidrConfig(clusters, services),
                faults,
                dice.nextInt(2, 4),
                dice.nextInt(1, 4),
                dice.nextInt(2, 4),
                dice.nextInt(1, 5),
                dice.nextInt(5, 16),
                dice.nextBoolean() ? dice.nextInt(250) : 0,
                Machines.values()[dice.nextInt(Machines.values().length)],
                dice.nextInt(3) == 0,
                dice.nextInt(3) == 0);
    }
}
