package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;

/// A cloud as an allocator of node CIDRs needs it. Calls block, and end within a time that the cloud's
/// implementation bounds. Safe for use by any number of threads.
public interface CloudProvider {

    /// The alias ranges of the machine.
    ///
    /// @param providerId the name that the cloud gave it, as `spec.providerID` of its node has it
    AliasRanges aliasRanges(String providerId);

    /// Adds an alias range to the first network interface of the machine, beside those that it has. A range that
    /// it has already is added.
    ///
    /// @param beforeSending runs before each request that would change the machine, after all waiting for it; what
    ///     it throws is thrown, and the request is not sent
    AliasAddition addAlias(String providerId, Prefix range, Runnable beforeSending);
}
