package io.cadastre.engine.block;

/// What a block is leased to: a host, or something virtual such as the load balancer.
public record Owner(Kind kind, String name) implements Comparable<Owner> {

    public enum Kind {
        HOST("host"),
        VIRTUAL("virtual"),
        /// An affinity that cannot be parsed. Only that there is an owner is known.
        FOREIGN("");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /// The type in an affinity document; empty for a foreign one.
        public String word() {
            return word;
        }
    }

    public static Owner host(String name) {
        return new Owner(Kind.HOST, name);
    }

    public static Owner virtual(String name) {
        return new Owner(Kind.VIRTUAL, name);
    }

    /// Reads the affinity of a block. Every text names an owner.
    public static Owner parse(String affinity) {
        for (var kind : Kind.values()) {
            if (kind != Kind.FOREIGN && affinity.startsWith(kind.word + ":")) {
                return new Owner(kind, affinity.substring(kind.word.length() + 1));
            }
        }
        return new Owner(Kind.FOREIGN, affinity);
    }

    @Override
    public int compareTo(Owner other) {
        int order = kind.compareTo(other.kind);
        return order == 0 ? name.compareTo(other.name) : order;
    }

    /// The affinity as a block has it, for example `host:node-a`.
    @Override
    public String toString() {
        return kind == Kind.FOREIGN ? name : kind.word + ":" + name;
    }
}
