package io.cadastre.wire.cni;

/// Compares a container's network namespace with the plugin's own.
@FunctionalInterface
public interface Namespaces {

    /// How a namespace relates to the one that the plugin runs in.
    enum Relation {
        SAME,
        OTHER,
        /// There is nothing to open at the path, or it is not a namespace.
        NOT_OPENED,
        OWN_NOT_OPENED
    }

    Relation relation(String path);
}
