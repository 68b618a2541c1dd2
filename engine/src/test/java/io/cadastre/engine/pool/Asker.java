package io.cadastre.engine.pool;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.Networks.Further;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.Tenant.Life;

import java.util.Arrays;
import java.util.List;

/// Somebody who asks for addresses, in the words of a test. A value: each word returns another.
record Asker(AllocateRequest request) {

    /// A pod in the namespace `default`, on node `n1`, for its `eth0`.
    static Asker aPod(String name, String uid) {
        return aPod("default", name, uid);
    }

    static Asker aPod(String namespace, String name, String uid) {
        return new Asker(
                new AllocateRequest(
                        new Tenant(
                                new PodKey(namespace, name),
                                uid,
                                "n1",
                                Life.ALIVE,
                                Labels.NONE,
                                new Controller("v1", "Pod", name)),
                        "eth0",
                        Wishes.NONE,
                        WishedRoutes.NONE,
                        new Networks(
                                "kube-system/default-nad",
                                new Further.Unreadable("there is none"),
                                "kube-system"),
                        PoolSettings.DEFAULT,
                        RangeSet.EMPTY));
    }

    /// Pools in the annotation `ippool`.
    Asker wanting(String... pools) {
        return wanting(new PoolNames(List.of(pools), List.of()));
    }

    Asker wanting(PoolNames names) {
        return byPod(new Wish.Single(names));
    }

    /// Pools in the annotation `ippools`.
    Asker wantingEach(Wish.Item... items) {
        return byPod(new Wish.Several(Arrays.asList(items)));
    }

    static Wish.Item item(String nic, String... pools) {
        return new Wish.Item(
                nic, new PoolNames(List.of(pools), List.of()), GatewayUse.DEFAULT_ROUTE);
    }

    Asker byPod(Wish wish) {
        var wishes = request.wishes();
        return with(new Wishes(wish, wishes.namespace(), wishes.configured(), wishes.gatewayUse()));
    }

    Asker byNamespace(Wish wish) {
        var wishes = request.wishes();
        return with(new Wishes(wishes.pod(), wish, wishes.configured(), wishes.gatewayUse()));
    }

    Asker configured(Wish wish) {
        var wishes = request.wishes();
        return with(new Wishes(wishes.pod(), wishes.namespace(), wish, wishes.gatewayUse()));
    }

    Asker cleanly() {
        var wishes = request.wishes();
        return with(
                new Wishes(
                        wishes.pod(), wishes.namespace(), wishes.configured(), GatewayUse.CLEAN));
    }

    Asker on(String node, String... labels) {
        var tenant = request.tenant();
        return with(
                new Tenant(
                        tenant.key(),
                        tenant.uid(),
                        node,
                        tenant.life(),
                        new Labels(
                                tenant.labels().pod(),
                                tenant.labels().namespace(),
                                PoolBuilder.labels(labels)),
                        tenant.controller()));
    }

    Asker labelled(String... labels) {
        var tenant = request.tenant();
        return with(
                new Tenant(
                        tenant.key(),
                        tenant.uid(),
                        tenant.node(),
                        tenant.life(),
                        new Labels(
                                PoolBuilder.labels(labels),
                                tenant.labels().namespace(),
                                tenant.labels().node()),
                        tenant.controller()));
    }

    Asker namespaceLabelled(String... labels) {
        var tenant = request.tenant();
        return with(
                new Tenant(
                        tenant.key(),
                        tenant.uid(),
                        tenant.node(),
                        tenant.life(),
                        new Labels(
                                tenant.labels().pod(),
                                PoolBuilder.labels(labels),
                                tenant.labels().node()),
                        tenant.controller()));
    }

    Asker of(Controller controller) {
        var tenant = request.tenant();
        return with(
                new Tenant(
                        tenant.key(),
                        tenant.uid(),
                        tenant.node(),
                        tenant.life(),
                        tenant.labels(),
                        controller));
    }

    Asker being(Life life) {
        var tenant = request.tenant();
        return with(
                new Tenant(
                        tenant.key(),
                        tenant.uid(),
                        tenant.node(),
                        life,
                        tenant.labels(),
                        tenant.controller()));
    }

    Asker forNic(String nic) {
        return new Asker(
                new AllocateRequest(
                        request.tenant(),
                        nic,
                        request.wishes(),
                        request.routes(),
                        request.networks(),
                        request.settings(),
                        request.shunned()));
    }

    Asker routes(WishedRoutes routes) {
        return new Asker(
                new AllocateRequest(
                        request.tenant(),
                        request.nic(),
                        request.wishes(),
                        routes,
                        request.networks(),
                        request.settings(),
                        request.shunned()));
    }

    Asker networks(Networks networks) {
        return new Asker(
                new AllocateRequest(
                        request.tenant(),
                        request.nic(),
                        request.wishes(),
                        request.routes(),
                        networks,
                        request.settings(),
                        request.shunned()));
    }

    Asker settings(PoolSettings settings) {
        return new Asker(
                new AllocateRequest(
                        request.tenant(),
                        request.nic(),
                        request.wishes(),
                        request.routes(),
                        request.networks(),
                        settings,
                        request.shunned()));
    }

    Asker shunning(String address) {
        return new Asker(
                new AllocateRequest(
                        request.tenant(),
                        request.nic(),
                        request.wishes(),
                        request.routes(),
                        request.networks(),
                        request.settings(),
                        RangeSet.of(Range.parse(address))));
    }

    private Asker with(Wishes wishes) {
        return new Asker(
                new AllocateRequest(
                        request.tenant(),
                        request.nic(),
                        wishes,
                        request.routes(),
                        request.networks(),
                        request.settings(),
                        request.shunned()));
    }

    private Asker with(Tenant tenant) {
        return new Asker(
                new AllocateRequest(
                        tenant,
                        request.nic(),
                        request.wishes(),
                        request.routes(),
                        request.networks(),
                        request.settings(),
                        request.shunned()));
    }
}
