package io.cadastre.wire.cni;

/// Tells a container's network namespace from the plugin's own.
@FunctionalInterface
public interface Namespaces {

    /// How a namespace relates to the one that the plugin runs in.
    enum Relation {
        SAME,
        OTHER,
        /// There is nothing to open at the path, or it is no namespace.
        NOT_OPENED,
        OWN_NOT_OPENED
    }

    Relation relation(String path);
}
