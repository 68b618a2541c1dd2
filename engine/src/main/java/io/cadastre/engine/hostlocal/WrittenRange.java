package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A range as it was written: nothing is filled in or checked.
public final class WrittenRange {

    private static final WrittenRange NOTHING = new WrittenRange(null, null, null, null);

    private final @Nullable Subnet subnet;
    private final @Nullable Address start;
    private final @Nullable Address end;
    private final @Nullable Address gateway;

    private WrittenRange(
            @Nullable Subnet subnet, @Nullable Address start, @Nullable Address end, @Nullable Address gateway) {
        this.subnet = subnet;
        this.start = start;
        this.end = end;
        this.gateway = gateway;
    }

    /// A subnet, which may have bits set beyond its length.
    public record Subnet(Address address, int length) {

        public Subnet {
            if (length < 0 || length > address.family().bits()) {
                throw new IllegalArgumentException("%s/%d: an %s prefix length is from 0 to %d"
                        .formatted(
                                address,
                                length,
                                address.family(),
                                address.family().bits()));
            }
        }

        @Override
        public String toString() {
            return address + "/" + length;
        }
    }

    /// A range of which nothing is written.
    public static WrittenRange nothing() {
        return NOTHING;
    }

    public WrittenRange in(Address subnet, int length) {
        return new WrittenRange(new Subnet(subnet, length), start, end, gateway);
    }

    public WrittenRange from(Address first) {
        return new WrittenRange(subnet, first, end, gateway);
    }

    public WrittenRange to(Address last) {
        return new WrittenRange(subnet, start, last, gateway);
    }

    public WrittenRange through(Address router) {
        return new WrittenRange(subnet, start, end, router);
    }

    public Optional<Subnet> subnet() {
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
        return other instanceof WrittenRange that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "WrittenRange" + parts();
    }
}
