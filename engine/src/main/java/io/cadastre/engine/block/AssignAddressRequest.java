package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.Decision;

import java.time.Instant;
import java.util.List;

/// A request for one certain address.
///
/// @param use what for, which need not be said
/// @param hostReserve what the host keeps for itself if its block is new
/// @param maxPerHandle how many addresses of the family the handle may have; zero if not limited
/// @param attempted earlier decisions about this request of which nobody knows whether they were applied
public record AssignAddressRequest(
        Address address,
        String host,
        Claimant claimant,
        Use use,
        HostReserve hostReserve,
        int maxPerHandle,
        List<Attempt<AddressAssignment>> attempted,
        Instant now) {

    public AssignAddressRequest {
        attempted = List.copyOf(attempted);
    }

    public static AssignAddressRequest of(
            Address address, String host, Claimant claimant, Instant now) {
        return new AssignAddressRequest(
                address, host, claimant, Use.UNSTATED, new HostReserve.None(), 0, List.of(), now);
    }

    public AssignAddressRequest forUse(Use other) {
        return new AssignAddressRequest(
                address, host, claimant, other, hostReserve, maxPerHandle, attempted, now);
    }

    public AssignAddressRequest reserving(HostReserve reserve) {
        return new AssignAddressRequest(
                address, host, claimant, use, reserve, maxPerHandle, attempted, now);
    }

    public AssignAddressRequest withMaxPerHandle(int addresses) {
        return new AssignAddressRequest(
                address, host, claimant, use, hostReserve, addresses, attempted, now);
    }

    /// The same request, asked again.
    ///
    /// @param lost earlier decisions about it whose commits were not answered
    public AssignAddressRequest after(List<Decision<BlockChange, AddressAssignment>> lost) {
        var attempts = lost.stream().map(Attempt::of).toList();
        return new AssignAddressRequest(
                address, host, claimant, use, hostReserve, maxPerHandle, attempts, now);
    }

    /// Whom a new block is leased to.
    Owner owner() {
        return use == Use.LOAD_BALANCER ? Owner.virtual(host) : Owner.host(host);
    }
}
