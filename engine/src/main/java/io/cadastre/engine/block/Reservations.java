package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import java.math.BigInteger;
import java.util.Collection;

/// The addresses that are assigned only by name, whichever reservations list them, and however often.
///
/// A request that names a reserved address gets it, and a holder of one keeps it.
public record Reservations(RangeSet addresses) {

    public static final Reservations NONE = new Reservations(RangeSet.EMPTY);

    public static Reservations of(Collection<Prefix> reserved) {
        return new Reservations(RangeSet.ofPrefixes(reserved));
    }

    /// These and further ones.
    public Reservations with(Reservations others) {
        return new Reservations(addresses.union(others.addresses));
    }

    public boolean contains(Address address) {
        return addresses.contains(address);
    }

    /// Whether no address of the prefix is left.
    ///
    /// Calico adds up the sizes of the reservations inside the prefix; where they do not overlap, as
    /// it takes for granted, that is the same.
    public boolean containWhole(Prefix prefix) {
        return addresses.contains(prefix.range());
    }

    /// How many addresses of the prefix are reserved.
    public BigInteger countIn(Prefix prefix) {
        return addresses.intersect(RangeSet.of(prefix)).size();
    }
}
