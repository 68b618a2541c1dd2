package io.cadastre.wire.cni;

import io.cadastre.address.Address;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// A range of host-local as it is written: nothing is filled in or checked against anything else.
public final class HostLocalRange {

    private final @Nullable InterfaceAddress subnet;
    private final @Nullable Address start;
    private final @Nullable Address end;
    private final @Nullable Address gateway;

    private HostLocalRange(
            @Nullable InterfaceAddress subnet,
            @Nullable Address start,
            @Nullable Address end,
            @Nullable Address gateway) {
        this.subnet = subnet;
        this.start = start;
        this.end = end;
        this.gateway = gateway;
    }

    /// @throws CniException if an address is none
    static HostLocalRange read(Members range) {
        return new HostLocalRange(
                // Written but empty is not the same as not written.
                range.find("subnet").isPresent()
                        ? InterfaceAddress.parse(range.text("subnet"))
                        : null,
                readAddress(range, "rangeStart"),
                readAddress(range, "rangeEnd"),
                readAddress(range, "gateway"));
    }

    private static @Nullable Address readAddress(Members range, String name) {
        var text = range.text(name);
        return text.isEmpty() ? null : InterfaceAddress.parseAddress(text);
    }

    /// May have bits beyond its length.
    public Optional<InterfaceAddress> subnet() {
        return Optional.ofNullable(subnet);
    }

    public Optional<Address> start() {
        return Optional.ofNullable(start);
    }

    public Optional<Address> end() {
        return Optional.ofNullable(end);
    }

    public Optional<Address> gateway() {
        return Optional.ofNullable(gateway);
    }

    private List<Object> parts() {
        return List.of(subnet(), start(), end(), gateway());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostLocalRange that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "HostLocalRange" + parts();
    }
}
