package io.cadastre.engine.pool.subnet;

/// What becomes of a pool when its application is deleted.
public enum ReclaimPolicy {
    /// It is deleted too.
    RECLAIM,

    /// It stays for the next application of the same kind, namespace and name.
    KEEP
}
