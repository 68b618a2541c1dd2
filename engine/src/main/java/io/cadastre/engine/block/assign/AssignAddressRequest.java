package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import java.time.Instant;
import java.util.List;

/// A request for one certain address.
///
/// @param use what for, which need not be said
/// @param hostReserve what the host keeps for itself if its block is new
/// @param maxPerHandle how many addresses of the family the handle may have; zero if not limited
/// @param attempted earlier decisions about this request that may or may not have been applied
public record AssignAddressRequest(
        Address address,
        String host,
        Requester requester,
        AddressUse use,
        HostReserve hostReserve,
        int maxPerHandle,
        List<Attempt<AddressAssignment>> attempted,
        Instant now) {

    public AssignAddressRequest {
        attempted = List.copyOf(attempted);
    }

    public static AssignAddressRequest of(Address address, String host, Requester requester, Instant now) {
        return new AssignAddressRequest(
                address, host, requester, AddressUse.UNSTATED, new HostReserve.None(), 0, List.of(), now);
    }

    public AssignAddressRequest forUse(AddressUse other) {
        return new AssignAddressRequest(address, host, requester, other, hostReserve, maxPerHandle, attempted, now);
    }

    public AssignAddressRequest reserving(HostReserve reserve) {
        return new AssignAddressRequest(address, host, requester, use, reserve, maxPerHandle, attempted, now);
    }

    public AssignAddressRequest withMaxPerHandle(int addresses) {
        return new AssignAddressRequest(address, host, requester, use, hostReserve, addresses, attempted, now);
    }

    /// The same request, asked again.
    ///
    /// @param lost earlier decisions about it whose commits were not answered
    public AssignAddressRequest after(List<Decision<BlockChange, AddressAssignment>> lost) {
        var attempts = lost.stream().map(Attempt::of).toList();
        return new AssignAddressRequest(address, host, requester, use, hostReserve, maxPerHandle, attempts, now);
    }

    /// The owner that a new block is leased to.
    Owner owner() {
        return use == AddressUse.LOAD_BALANCER ? Owner.virtual(host) : Owner.host(host);
    }
}
