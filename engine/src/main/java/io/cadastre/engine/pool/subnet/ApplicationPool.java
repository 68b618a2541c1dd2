package io.cadastre.engine.pool.subnet;

/// What the labels of a pool say about the application that it is made for.
///
/// @param uid that of the application when the pool was last adapted to it
/// @param nic the interface that has addresses of it
public record ApplicationPool(OwnerApplication application, String uid, String nic, ReclaimPolicy reclaim) {}
