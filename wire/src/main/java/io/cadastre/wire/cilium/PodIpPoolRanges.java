package io.cadastre.wire.cilium;

import io.cadastre.address.Family;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import java.util.List;
import java.util.stream.Stream;

/// The ranges of CiliumPodIPPools, for other dialects to keep away from.
public final class PodIpPoolRanges {

    private PodIpPoolRanges() {}

    /// Those of all pools in a store.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    public static List<Holding> fetch(Datastore store) {
        return store.listAll(CiliumKeys.POOLS).documents().stream()
                .map(PodIpPoolRanges::document)
                .flatMap(pool -> of(pool).stream())
                .toList();
    }

    static PodIpPoolDocument document(Document stored) {
        return PodIpPoolDocument.decode(stored.key().substring(CiliumKeys.POOLS.length()), stored.value());
    }

    static List<Holding> of(PodIpPoolDocument pool) {
        return Stream.of(Family.values())
                .flatMap(family -> pool.cidrs(family).stream())
                .flatMap(part -> part.cidrs().stream())
                .map(cidr -> new Holding(
                        cidr.range(),
                        Holding.Level.POOL,
                        "%s(%s)".formatted(PodIpPoolDocument.KIND, pool.name()),
                        Holding.State.HELD))
                .toList();
    }
}
