package io.cadastre.engine.pool;

/// A route of a pod, as it is written.
///
/// @param dst where it leads
/// @param gw by which address
public record PodRoute(String dst, String gw) {}
