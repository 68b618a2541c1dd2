package io.cadastre.engine.pool.collect;

/// What is known of the endpoint of a pod's name.
public sealed interface EndpointStanding {

    record Absent() implements EndpointStanding {}

    /// @param uid that of the pod it was written for
    /// @param keeping whether the owner that it names will create the pod again
    record Present(String uid, Keeping keeping) implements EndpointStanding {}

    /// It could not be read, so it stays as it is.
    record Unreadable() implements EndpointStanding {}
}
