package io.cadastre.wire.cni;

import io.cadastre.address.Address;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One route of a result. Sizes and the priority are zero where none is asked for; table and scope
/// have a zero that means something.
public final class CniRoute {

    private final InterfaceAddress destination;
    private final @Nullable Address gateway;
    private final int mtu;
    private final int advertisedMss;
    private final long priority;
    private final OptionalLong table;
    private final OptionalInt scope;

    private CniRoute(
            InterfaceAddress destination,
            @Nullable Address gateway,
            int mtu,
            int advertisedMss,
            long priority,
            OptionalLong table,
            OptionalInt scope) {
        this.destination = destination;
        this.gateway = gateway;
        this.mtu = mtu;
        this.advertisedMss = advertisedMss;
        this.priority = priority;
        this.table = table;
        this.scope = scope;
    }

    public static CniRoute to(InterfaceAddress destination) {
        return new CniRoute(destination, null, 0, 0, 0, OptionalLong.empty(), OptionalInt.empty());
    }

    public CniRoute via(Address other) {
        return new CniRoute(destination, other, mtu, advertisedMss, priority, table, scope);
    }

    public CniRoute withMtu(int bytes) {
        return new CniRoute(destination, gateway, bytes, advertisedMss, priority, table, scope);
    }

    public CniRoute withAdvertisedMss(int bytes) {
        return new CniRoute(destination, gateway, mtu, bytes, priority, table, scope);
    }

    public CniRoute withPriority(long number) {
        return new CniRoute(destination, gateway, mtu, advertisedMss, number, table, scope);
    }

    public CniRoute inTable(long number) {
        return new CniRoute(destination, gateway, mtu, advertisedMss, priority, OptionalLong.of(number), scope);
    }

    public CniRoute withScope(int number) {
        return new CniRoute(destination, gateway, mtu, advertisedMss, priority, table, OptionalInt.of(number));
    }

    /// What is left of it in the oldest versions.
    CniRoute destinationAndGateway() {
        var bare = to(destination);
        return gateway == null ? bare : bare.via(gateway);
    }

    /// @throws CniException if it is not one
    static CniRoute read(Members route) {
        var destination = InterfaceAddress.parse(route.text("dst"));
        return new CniRoute(
                destination,
                route.text("gw").isEmpty() ? null : InterfaceAddress.parseAddress(route.text("gw")),
                route.integer("mtu").orElse(0),
                route.integer("advmss").orElse(0),
                route.unsigned32("priority").orElse(0),
                route.unsigned32("table"),
                route.integer("scope"));
    }

    /// May have bits beyond its length.
    public InterfaceAddress destination() {
        return destination;
    }

    public Optional<Address> gateway() {
        return Optional.ofNullable(gateway);
    }

    public int mtu() {
        return mtu;
    }

    public int advertisedMss() {
        return advertisedMss;
    }

    public long priority() {
        return priority;
    }

    public OptionalLong table() {
        return table;
    }

    public OptionalInt scope() {
        return scope;
    }

    private List<Object> parts() {
        return List.of(destination, gateway(), mtu, advertisedMss, priority, table, scope);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CniRoute that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "CniRoute" + parts();
    }
}
