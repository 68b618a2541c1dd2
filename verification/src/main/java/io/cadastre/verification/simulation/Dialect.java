package io.cadastre.verification.simulation;

import io.cadastre.verification.simulation.block.BlockSimulation;
import io.cadastre.verification.simulation.controller.ControllerSimulation;
import io.cadastre.verification.simulation.nodecidr.NodeCidrSimulation;
import io.cadastre.verification.simulation.nodeipam.NodeIpamSimulation;
import io.cadastre.verification.simulation.pool.PoolSimulation;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.SimulationFailure;

/// What is simulated.
public enum Dialect {
    NODE_CIDR(NodeCidrSimulation.DIALECT),
    CALICO(BlockSimulation.DIALECT),
    SPIDERPOOL(PoolSimulation.DIALECT),
    CONTROLLER(ControllerSimulation.DIALECT),
    NODE_IPAM(NodeIpamSimulation.DIALECT),
    LEDGER(LedgerSimulation.DIALECT),
    HOST_LOCAL(HostLocalSimulation.DIALECT);

    private final String word;

    Dialect(String word) {
        this.word = word;
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public Report run(long seed) {
        return switch (this) {
            case NODE_CIDR -> NodeCidrSimulation.run(seed);
            case CALICO -> BlockSimulation.run(seed);
            case SPIDERPOOL -> PoolSimulation.run(seed);
            case CONTROLLER -> ControllerSimulation.run(seed);
            case NODE_IPAM -> NodeIpamSimulation.run(seed);
            case LEDGER -> LedgerSimulation.run(seed);
            case HOST_LOCAL -> HostLocalSimulation.run(seed);
        };
    }

    @Override
    public String toString() {
        return word;
    }
}
