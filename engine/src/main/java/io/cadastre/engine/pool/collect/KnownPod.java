package io.cadastre.engine.pool.collect;

/// What is known of the pod that a record or an endpoint names.
public sealed interface KnownPod {

    /// There is no pod of that name.
    record Absent() implements KnownPod {}

    record Present(ObservedPod pod) implements KnownPod {}

    /// The pod, its owner or its node could not be read. Nothing is concluded from that.
    ///
    /// @param why a sentence without a full stop
    record Unclear(String why) implements KnownPod {}
}
