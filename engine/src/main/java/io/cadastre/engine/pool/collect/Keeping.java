package io.cadastre.engine.pool.collect;

/// Whether the addresses of a pod are kept for its successor.
public enum Keeping {
    /// The pod belongs to neither a StatefulSet nor a virtual machine.
    NEVER,

    /// Its owner will create it again under the same name.
    VALID,

    /// Its owner will not create it again.
    INVALID;

    /// Whether a StatefulSet has a pod with this ordinal.
    ///
    /// @param ordinal the number at the end of the pod's name
    /// @param start the ordinal of the first pod
    /// @param replicas how many pods there are to be
    public static Keeping ofStatefulSet(long ordinal, long start, long replicas) {
        return ordinal >= start && ordinal - start < replicas ? VALID : INVALID;
    }

    /// Whether the pod belongs to an owner of a kind that keeps addresses.
    public boolean possible() {
        return this != NEVER;
    }
}
