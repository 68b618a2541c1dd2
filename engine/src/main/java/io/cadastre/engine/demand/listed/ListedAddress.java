package io.cadastre.engine.demand.listed;

/// What the object says of an address.
///
/// @param owner the pod that it is for, or empty
/// @param resource the interface that it belongs to, or empty
public record ListedAddress(String owner, String resource) {}
