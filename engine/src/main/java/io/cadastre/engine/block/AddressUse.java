package io.cadastre.engine.block;

/// What an address is for.
public enum AddressUse {
    WORKLOAD("Workload"),
    TUNNEL("Tunnel"),
    LOAD_BALANCER("LoadBalancer"),
    /// Not stated. A request for one address by name need not state it.
    UNSTATED("");

    private final String word;

    AddressUse(String word) {
        this.word = word;
    }

    /// The word in a pool's document.
    @Override
    public String toString() {
        return word;
    }
}
