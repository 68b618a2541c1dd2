package io.cadastre.wire.cilium;

/// What is written of one address of a node.
///
/// @param owner the pod that has it or is to have it, or what else it is used for; empty for none
/// @param resource the interface that it belongs to; empty for none
public record NodeAddressEntry(String owner, String resource) {}
