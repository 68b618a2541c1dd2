package io.cadastre.engine.pool.collect;

/// What is known of the endpoint of a pod's name.
public sealed interface KnownEndpoint {

    record Absent() implements KnownEndpoint {}

    /// There is one.
    ///
    /// @param uid that of the pod it was written for
    /// @param keeping whether the owner that it names will create the pod again
    record Present(String uid, Keeping keeping) implements KnownEndpoint {}

    /// It could not be read, so it stays as it is.
    record Unreadable() implements KnownEndpoint {}
}
