package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.block.release.SequenceCheck;
import java.util.List;
import java.util.SortedMap;

/// The result of a release in one block.
public sealed interface Freeing {

    /// Held addresses were released.
    ///
    /// @param free those of the addresses that were not held
    /// @param taken which were taken back
    /// @param counts how many were taken back from which handle
    record Freed(Block after, List<Address> free, List<Address> taken, SortedMap<String, Integer> counts)
            implements Freeing {}

    /// The address was given away at another sequence number. Nothing is released.
    record BadSequence(Address address, SequenceCheck given, long expected) implements Freeing {}

    /// Another handle holds the address. Nothing is released.
    record BadHandle(Address address, String given, String expected) implements Freeing {}
}
