package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.session.Session;
import io.cadastre.controller.spiderpool.collection.CollectionFacts;
import io.cadastre.controller.spiderpool.collection.PoolGcSettings;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.collect.CollectRequest;
import io.cadastre.engine.pool.collect.CollectRule;
import io.cadastre.engine.pool.collect.CollectSettings;
import io.cadastre.engine.pool.collect.PoolCollection;
import io.cadastre.engine.pool.collect.PoolCollector;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.List;

/// Releases an address that a SpiderIPPool records: if its pod is gone, or by force.
final class PoolAddressRelease {

    private final Session session;
    private final Registrar<PoolView, PoolChange> pools;
    private final Address address;
    private final SpiderPools.Held held;
    private final PodKey key;

    PoolAddressRelease(Session session, Address address, SpiderPools.Held held) {
        this.session = session;
        this.pools = SpiderPools.registrar(session);
        this.address = address;
        this.held = held;
        this.key = CollectionFacts.named(held.record().pod());
    }

    /// Releases it as the controller does.
    ///
    /// @return what was released
    /// @throws CommandRefusedException if its pod is alive or will return, or nothing is known of pods
    List<Address> release() {
        var store = session.datastore();
        if (store instanceof EtcdDatastore
                && store.list(CoreKeys.PODS, 1).documents().isEmpty()) {
            throw refused("the store has no Pod, so it is unknown which pods exist");
        }
        var facts = new CollectionFacts(store, PoolGcSettings.DEFAULT.features());
        var endpoint = facts.fetchEndpoint(key);
        var request = new CollectRequest(
                held.pool().name(),
                address,
                key,
                held.record(),
                endpoint,
                facts.fetchHolder(key, held.record().podUid()),
                CollectSettings.DEFAULT,
                session.context().clock().instant());
        return released(pools.enact(new Request<>(words(), (PoolView view) -> PoolCollector.collect(view, request))));
    }

    /// Releases it whatever its pod does, with all else that the pod's endpoint has: a pod that is asked for once more
    /// is answered from there.
    List<Address> force() {
        return released(pools.enact(new Request<>(
                words() + " --force",
                (PoolView view) -> PoolCollector.force(view, held.pool().name(), address, key, held.record()))));
    }

    private String words() {
        return "ipam release " + address;
    }

    private List<Address> released(PoolCollection outcome) {
        return switch (outcome) {
            case PoolCollection.Collected(var addresses, var _) -> addresses;
            case PoolCollection.Left(var rules) ->
                throw refused(
                        String.join("; ", rules.stream().map(CollectRule::words).toList()));
            case PoolCollection.Prevented(var refusal) -> throw new CommandRefusedException(refusal.sentence());
        };
    }

    private CommandRefusedException refused(String why) {
        return new CommandRefusedException(
                "SpiderIPPool %s records %s for pod %s: %s. Make sure that no pod uses the address, then re-run with --force"
                        .formatted(held.pool().name(), address, held.record().pod(), why));
    }
}
