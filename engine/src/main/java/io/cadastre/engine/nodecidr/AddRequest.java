package io.cadastre.engine.nodecidr;

/// Asks that a node hold CIDRs. The node's name is the identity: asked again, it gets the same answer.
public record AddRequest(String node) {}
