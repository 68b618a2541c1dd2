package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.CidrSetList;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A pool as an operator knows it.
///
/// @param lists one for each family that it has
public record PodPool(String name, List<CidrSetList> lists, boolean allowFirst, boolean allowLast) {

    private static final BigInteger LARGE = BigInteger.valueOf(Long.MAX_VALUE);

    public PodPool {
        lists = List.copyOf(lists);
    }

    Optional<CidrSetList> find(Family family) {
        return lists.stream().filter(list -> list.family() == family).findFirst();
    }

    /// Whether one of its CIDRs touches another one.
    boolean reaches(Prefix cidr) {
        return lists.stream().flatMap(list -> list.cidrs().stream()).anyMatch(cidr::overlaps);
    }

    /// How many addresses of a block pods may have, as far as a `long` counts them.
    long usable(Prefix cidr) {
        var size = cidr.size();
        if (size.compareTo(BigInteger.TWO) > 0) {
            size = size.subtract(BigInteger.valueOf((allowFirst ? 0 : 1) + (allowLast ? 0 : 1)));
        }
        return size.min(LARGE).longValueExact();
    }

    PodPool with(UnaryOperator<CidrSetList> change) {
        return new PodPool(name, lists.stream().map(change).toList(), allowFirst, allowLast);
    }
}
