package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.RangeSet;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The SpiderIPPools of a store.
///
/// @param reserved the addresses that no pool gives
record SpiderPools(List<Stored> pools, RangeSet reserved) {

    SpiderPools {
        pools = List.copyOf(pools);
    }

    /// A pool, and its whole document.
    record Stored(AddressPool pool, ObjectNode json) {}

    /// The record of an address.
    record Held(AddressPool pool, PoolRecord record) {}

    /// How much of a pool is used.
    ///
    /// @param free how many addresses it can give at once
    record Use(String name, String subnet, long total, long used, long free) {}

    /// The pools that can be read. The others are reported.
    static SpiderPools fetch(CalicoSession ipam) {
        var session = ipam.session();
        var pools = new ArrayList<Stored>();
        for (var document : documents(session)) {
            var name = document.key().substring(SpiderKeys.POOLS.length());
            try {
                var decoded = SpiderPoolDocument.decode(name, document.value());
                pools.add(new Stored(decoded.pool(), decoded.json()));
            } catch (UnreadableDocumentException _) {
                session.context().warn("%s cannot be read and is ignored".formatted(document.key()));
            }
        }
        return new SpiderPools(pools, pools.isEmpty() ? RangeSet.EMPTY : reserved(session));
    }

    /// None for a user who may read Calico's data only. On an API server such a user is denied even what the cluster
    /// lacks, so a warning would say nothing.
    private static List<Document> documents(Session session) {
        var store = session.datastore();
        if (!store.hasPlace(SpiderKeys.pool("any"))) {
            return List.of();
        }
        try {
            return store.listAll(SpiderKeys.POOLS).documents();
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.NOT_INSTALLED
                    || failed.kind() == DatastoreException.Kind.DENIED) {
                return List.of();
            }
            throw failed;
        }
    }

    private static RangeSet reserved(Session session) {
        return registrar(session)
                .explain(new Request<PoolView, PoolChange, RangeSet>(
                        "look", view -> new Decision<>(view.reservedAddresses(), List.of(), List.of())))
                .outcome();
    }

    static Registrar<PoolView, PoolChange> registrar(Session session) {
        CommandContext context = session.context();
        return session.registrar(new SpiderBook(session.datastore(), context.clock()));
    }

    Optional<Held> find(Address address) {
        return pools.stream()
                .map(Stored::pool)
                .filter(pool -> pool.records().containsKey(address))
                .map(pool -> new Held(pool, pool.records().get(address)))
                .findFirst();
    }

    List<Use> uses() {
        return pools.stream().map(stored -> use(stored.pool())).toList();
    }

    private Use use(AddressPool pool) {
        var effective = pool.spec().effective();
        var available = effective.minus(reserved);
        long taken =
                pool.records().keySet().stream().filter(available::contains).count();
        return new Use(
                pool.name(),
                pool.spec().subnet().toString(),
                IpText.count(effective),
                pool.records().size(),
                pool.disabled() || pool.terminating() || !pool.damage().isEmpty()
                        ? 0
                        : IpText.count(available) - taken);
    }
}
