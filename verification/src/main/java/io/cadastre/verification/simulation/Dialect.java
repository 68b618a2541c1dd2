package io.cadastre.verification.simulation;

/// What is simulated.
public enum Dialect {
    NODE_CIDR("node-cidr"),
    CALICO("calico"),
    SPIDERPOOL("spiderpool"),
    CONTROLLER("controller"),
    LEDGER("ledger"),
    HOST_LOCAL("host-local");

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
            case LEDGER -> LedgerSimulation.run(seed);
            case HOST_LOCAL -> HostLocalSimulation.run(seed);
        };
    }

    @Override
    public String toString() {
        return word;
    }
}
