package io.cadastre.wire.cilium;

/// How many addresses a node is to have in stock. Zero stands for what is not set.
///
/// @param minAllocate the base stock
/// @param maxAllocate the most; none if zero
/// @param preAllocate how many are to be free
/// @param maxAboveWatermark how many more may be taken at a time
public record NodeReserve(int minAllocate, int maxAllocate, int preAllocate, int maxAboveWatermark) {}
