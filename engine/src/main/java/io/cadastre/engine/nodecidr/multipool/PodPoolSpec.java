package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import java.util.List;
import java.util.Optional;

/// A pool as its object describes it.
///
/// @param families one entry for each family that it has
/// @param allowFirst whether the first address of a block may be given to a pod
/// @param allowLast likewise the last
public record PodPoolSpec(String name, List<OfFamily> families, boolean allowFirst, boolean allowLast) {

    /// What the pool has of one family.
    ///
    /// @param cidrs as they are written
    /// @param mask the length of blocks
    public record OfFamily(Family family, List<String> cidrs, int mask) {
        public OfFamily {
            cidrs = List.copyOf(cidrs);
        }
    }

    public PodPoolSpec {
        families = List.copyOf(families);
        if (families.stream().map(OfFamily::family).distinct().count() < families.size()) {
            throw new IllegalArgumentException("pool %s has a family twice".formatted(name));
        }
    }

    Optional<OfFamily> find(Family family) {
        return families.stream().filter(one -> one.family() == family).findFirst();
    }
}
