package io.cadastre.engine.pool;

import io.cadastre.address.Address;

/// A pod has an address of which the pools may know nothing any more.
///
/// @param nic the interface that has it
public record AdoptRequest(PodKey key, String uid, String node, String nic, Address address) {}
