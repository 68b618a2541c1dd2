package io.cadastre.wire.cni;

import io.cadastre.address.Address;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// One address of a result, the gateway of its network if there is one, and which of the result's
/// interfaces has it.
public final class CniIp {

    private final InterfaceAddress address;
    private final @Nullable Address gateway;
    private final OptionalInt interfaceIndex;

    private CniIp(InterfaceAddress address, @Nullable Address gateway, OptionalInt interfaceIndex) {
        this.address = address;
        this.gateway = gateway;
        this.interfaceIndex = interfaceIndex;
    }

    /// An address without a gateway that belongs to no interface yet.
    public static CniIp of(InterfaceAddress address) {
        return new CniIp(address, null, OptionalInt.empty());
    }

    public CniIp withGateway(Address other) {
        return new CniIp(address, other, interfaceIndex);
    }

    /// The same address as that of an interface of the result.
    ///
    /// @param index the place in the result's list of interfaces, from zero
    public CniIp onInterface(int index) {
        return new CniIp(address, gateway, OptionalInt.of(index));
    }

    public CniIp onNoInterface() {
        return new CniIp(address, gateway, OptionalInt.empty());
    }

    public InterfaceAddress address() {
        return address;
    }

    public Optional<Address> gateway() {
        return Optional.ofNullable(gateway);
    }

    public OptionalInt interfaceIndex() {
        return interfaceIndex;
    }

    private List<Object> parts() {
        return List.of(address, gateway(), interfaceIndex);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CniIp that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "CniIp" + parts();
    }
}
