package io.cadastre.engine.block;

/// What an address is for.
public enum Use {
    WORKLOAD("Workload"),
    TUNNEL("Tunnel"),
    LOAD_BALANCER("LoadBalancer"),
    /// Not said. Whoever asks for one address by name need not say it.
    UNSTATED("");

    private final String word;

    Use(String word) {
        this.word = word;
    }

    /// The word in a pool's document.
    @Override
    public String toString() {
        return word;
    }
}
