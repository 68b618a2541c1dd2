package io.cadastre.wire.spiderpool.objects;

import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.subnet.PoolSubnet;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.stream.Stream;

/// The ranges of Spiderpool's pools and SpiderSubnets: the addresses that they give, and not the networks around
/// them, which others may use too.
public final class SpiderRanges {

    private static final RangeSet IPV4_MAPPED = RangeSet.of(Prefix.parse("::ffff:0.0.0.0/96"));

    private SpiderRanges() {}

    public static List<Holding> fetch(Datastore store) {
        var pools = pools(store).toList();
        var given = pools.stream().map(pool -> pool.spec().effective()).reduce(RangeSet.EMPTY, RangeSet::union);
        return Stream.concat(
                        pools.stream()
                                .flatMap(pool ->
                                        of(
                                                "SpiderIPPool(%s)".formatted(pool.name()),
                                                pool.spec().effective())
                                                .stream()),
                        subnets(store)
                                .flatMap(
                                        subnet -> of(
                                                "SpiderSubnet(%s)".formatted(subnet.name()),
                                                subnet.addresses().minus(given))
                                                .stream()))
                .toList();
    }

    /// The subnets that can be read. Their addresses are given once a pool has them.
    private static Stream<PoolSubnet> subnets(Datastore store) {
        return fetchSubnets(store).stream().flatMap(document -> {
            try {
                return Stream.of(SpiderSubnetDocument.decode(
                                document.key().substring(SpiderKeys.SUBNETS.length()), document.value())
                        .subnet());
            } catch (UnreadableDocumentException _) {
                return Stream.empty();
            }
        });
    }

    /// The documents of all subnets; none where a cluster has pools and does not know subnets.
    public static List<Document> fetchSubnets(Datastore store) {
        return fetchAll(store, SpiderKeys.SUBNETS);
    }

    /// The documents of a kind; none where a cluster does not know subnets.
    static List<Document> fetchAll(Datastore store, String prefix) {
        try {
            return store.listAll(prefix).documents();
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.NOT_INSTALLED && prefix.equals(SpiderKeys.SUBNETS)) {
                return List.of();
            }
            throw failed;
        }
    }

    /// IPv4-mapped addresses count as those that they stand for, since to a pod they are the same.
    static List<Holding> of(String holder, RangeSet addresses) {
        var standFor = addresses.intersect(IPV4_MAPPED).ranges().stream()
                .map(range -> new Range(range.first().unmapped(), range.last().unmapped()));
        return Stream.concat(addresses.ranges().stream(), standFor)
                .map(range -> new Holding(range, Level.POOL, holder, State.HELD))
                .toList();
    }

    /// All that is held of all pools that can be read.
    public static List<Holding> fetchHoldings(Datastore store) {
        return PoolHoldings.of(
                PoolView.UNREAD.withAllPools(pools(store).toList()).withReserved(RangeSet.EMPTY));
    }

    private static Stream<AddressPool> pools(Datastore store) {
        return store.listAll(SpiderKeys.POOLS).documents().stream().flatMap(document -> {
            try {
                return Stream.of(
                        SpiderPoolDocument.decode(document.key().substring(SpiderKeys.POOLS.length()), document.value())
                                .pool());
            } catch (UnreadableDocumentException _) {
                return Stream.empty();
            }
        });
    }
}
