package io.cadastre.engine.nodecidr;

/// Whether a controller may begin its work on what it finds.
public sealed interface Start {

    record Ready() implements Start {}

    /// A node has a CIDR that the configuration does not account for.
    record Refused(NodeCidrRefusal refusal) implements Start {}
}
