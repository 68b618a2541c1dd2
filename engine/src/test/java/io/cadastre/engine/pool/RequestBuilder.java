package io.cadastre.engine.pool;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.Networks.First;
import io.cadastre.engine.pool.Networks.Further;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.keep.Succession;
import java.util.Arrays;
import java.util.List;

/// A request for addresses, in the words of a test. A value: each word returns another.
record RequestBuilder(PoolAllocateRequest request) {

    /// A pod in the namespace `default`, on node `n1`, for its `eth0`.
    static RequestBuilder aPod(String name, String uid) {
        return aPod("default", name, uid);
    }

    static RequestBuilder aPod(String namespace, String name, String uid) {
        return new RequestBuilder(new PoolAllocateRequest(
                new PodInfo(
                        new PodKey(namespace, name),
                        uid,
                        "n1",
                        Life.ALIVE,
                        Labels.NONE,
                        new TopController("v1", "Pod", name)),
                "eth0",
                PoolPreferences.NONE,
                RequestedRoutes.NONE,
                new Networks(
                        new First.Named("kube-system/default-nad"),
                        new Further.Unreadable("there is none"),
                        "kube-system"),
                PoolSettings.DEFAULT,
                RangeSet.EMPTY));
    }

    /// Pools in the annotation `ippool`.
    RequestBuilder wanting(String... pools) {
        return wanting(new PoolNames(List.of(pools), List.of()));
    }

    RequestBuilder wanting(PoolNames names) {
        return byPod(new PoolPreference.Single(names));
    }

    /// Pools in the annotation `ippools`.
    RequestBuilder wantingEach(PoolPreference.Item... items) {
        return byPod(new PoolPreference.Several(Arrays.asList(items)));
    }

    static PoolPreference.Item item(String nic, String... pools) {
        return new PoolPreference.Item(nic, new PoolNames(List.of(pools), List.of()), GatewayUse.DEFAULT_ROUTE);
    }

    RequestBuilder byPod(PoolPreference preference) {
        var preferences = request.preferences();
        return with(new PoolPreferences(
                preference, preferences.namespace(), preferences.configured(), preferences.gatewayUse()));
    }

    RequestBuilder byNamespace(PoolPreference preference) {
        var preferences = request.preferences();
        return with(
                new PoolPreferences(preferences.pod(), preference, preferences.configured(), preferences.gatewayUse()));
    }

    RequestBuilder configured(PoolPreference preference) {
        var preferences = request.preferences();
        return with(
                new PoolPreferences(preferences.pod(), preferences.namespace(), preference, preferences.gatewayUse()));
    }

    RequestBuilder cleanly() {
        var preferences = request.preferences();
        return with(new PoolPreferences(
                preferences.pod(), preferences.namespace(), preferences.configured(), GatewayUse.CLEAN));
    }

    RequestBuilder on(String node, String... labels) {
        var pod = request.pod();
        return with(new PodInfo(
                pod.key(),
                pod.uid(),
                node,
                pod.life(),
                new Labels(pod.labels().pod(), pod.labels().namespace(), PoolBuilder.labels(labels)),
                pod.controller()));
    }

    RequestBuilder labelled(String... labels) {
        var pod = request.pod();
        return with(new PodInfo(
                pod.key(),
                pod.uid(),
                pod.node(),
                pod.life(),
                new Labels(
                        PoolBuilder.labels(labels),
                        pod.labels().namespace(),
                        pod.labels().node()),
                pod.controller()));
    }

    RequestBuilder namespaceLabelled(String... labels) {
        var pod = request.pod();
        return with(new PodInfo(
                pod.key(),
                pod.uid(),
                pod.node(),
                pod.life(),
                new Labels(
                        pod.labels().pod(),
                        PoolBuilder.labels(labels),
                        pod.labels().node()),
                pod.controller()));
    }

    RequestBuilder of(TopController controller) {
        var pod = request.pod();
        return with(new PodInfo(pod.key(), pod.uid(), pod.node(), pod.life(), pod.labels(), controller));
    }

    /// Said last: the addresses stay.
    RequestBuilder leaving(Succession succession) {
        var pod = request.pod();
        return with(
                new PodInfo(pod.key(), pod.uid(), pod.node(), pod.life(), pod.labels(), pod.controller(), succession));
    }

    /// Said last: a pod of a StatefulSet.
    RequestBuilder keeping() {
        return leaving(new Succession.SameName());
    }

    RequestBuilder being(Life life) {
        var pod = request.pod();
        return with(new PodInfo(pod.key(), pod.uid(), pod.node(), life, pod.labels(), pod.controller()));
    }

    RequestBuilder forNic(String nic) {
        return new RequestBuilder(new PoolAllocateRequest(
                request.pod(),
                nic,
                request.preferences(),
                request.routes(),
                request.networks(),
                request.settings(),
                request.conflicting()));
    }

    RequestBuilder routes(RequestedRoutes routes) {
        return new RequestBuilder(new PoolAllocateRequest(
                request.pod(),
                request.nic(),
                request.preferences(),
                routes,
                request.networks(),
                request.settings(),
                request.conflicting()));
    }

    RequestBuilder networks(Networks networks) {
        return new RequestBuilder(new PoolAllocateRequest(
                request.pod(),
                request.nic(),
                request.preferences(),
                request.routes(),
                networks,
                request.settings(),
                request.conflicting()));
    }

    RequestBuilder settings(PoolSettings settings) {
        return new RequestBuilder(new PoolAllocateRequest(
                request.pod(),
                request.nic(),
                request.preferences(),
                request.routes(),
                request.networks(),
                settings,
                request.conflicting()));
    }

    /// Said last.
    RequestBuilder within(MasterSubnets subnets) {
        return new RequestBuilder(request.within(subnets));
    }

    RequestBuilder shunning(String address) {
        return new RequestBuilder(new PoolAllocateRequest(
                request.pod(),
                request.nic(),
                request.preferences(),
                request.routes(),
                request.networks(),
                request.settings(),
                RangeSet.of(Range.parse(address))));
    }

    private RequestBuilder with(PoolPreferences preferences) {
        return new RequestBuilder(new PoolAllocateRequest(
                request.pod(),
                request.nic(),
                preferences,
                request.routes(),
                request.networks(),
                request.settings(),
                request.conflicting()));
    }

    private RequestBuilder with(PodInfo pod) {
        return new RequestBuilder(new PoolAllocateRequest(
                pod,
                request.nic(),
                request.preferences(),
                request.routes(),
                request.networks(),
                request.settings(),
                request.conflicting()));
    }
}
