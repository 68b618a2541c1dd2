package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.AddressPool.Origin;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A pool in the words of a test.
final class PoolBuilder {

    private final String name;
    private final Prefix subnet;
    private final List<String> ips;
    private final List<PodRoute> routes = new ArrayList<>();
    private final SortedMap<Address, PoolRecord> records = new TreeMap<>();
    private RangeSet excluded = RangeSet.EMPTY;
    private Optional<Address> gateway = Optional.empty();
    private PoolAffinity affinity = PoolAffinity.NONE;
    private Preference preference = Preference.NAMED;
    private Giving giving = Giving.ENABLED;
    private Origin origin = Origin.MADE_BY_HAND;
    private boolean terminating;
    private String damage = "";

    private PoolBuilder(String name, String subnet, List<String> ips) {
        this.name = name;
        this.subnet = Prefix.parse(subnet);
        this.ips = ips;
    }

    static PoolBuilder aPool(String name, String subnet, String... ips) {
        return new PoolBuilder(name, subnet, List.of(ips));
    }

    PoolBuilder excluding(String... ranges) {
        excluded = new RangeSet(Arrays.stream(ranges)
                .map(text -> IpText.range(subnet.family(), text).orElseThrow())
                .toList());
        return this;
    }

    PoolBuilder gateway(String address) {
        gateway = Optional.of(Address.parse(address));
        return this;
    }

    PoolBuilder route(String dst, String gw) {
        routes.add(new PodRoute(dst, gw));
        return this;
    }

    PoolBuilder isDefault() {
        preference = Preference.DEFAULT;
        return this;
    }

    PoolBuilder disabled() {
        giving = Giving.DISABLED;
        return this;
    }

    PoolBuilder terminating() {
        terminating = true;
        return this;
    }

    PoolBuilder damaged(String sentence) {
        damage = sentence;
        return this;
    }

    PoolBuilder holding(String address, String pod, String uid) {
        records.put(Address.parse(address), new PoolRecord(pod, uid));
        return this;
    }

    PoolBuilder forPods(LabelSelector selector) {
        affinity = new PoolAffinity(
                Optional.of(selector),
                affinity.nodeNames(),
                affinity.nodes(),
                affinity.namespaceNames(),
                affinity.namespaces(),
                affinity.networks());
        return this;
    }

    PoolBuilder forApplication(LabelSelector selector) {
        origin = Origin.MADE_FOR_APPLICATION;
        return forPods(selector);
    }

    PoolBuilder onNodes(String... names) {
        affinity = new PoolAffinity(
                affinity.pods(),
                List.of(names),
                affinity.nodes(),
                affinity.namespaceNames(),
                affinity.namespaces(),
                affinity.networks());
        return this;
    }

    PoolBuilder onNodes(LabelSelector selector) {
        affinity = new PoolAffinity(
                affinity.pods(),
                affinity.nodeNames(),
                Optional.of(selector),
                affinity.namespaceNames(),
                affinity.namespaces(),
                affinity.networks());
        return this;
    }

    PoolBuilder inNamespaces(String... names) {
        affinity = new PoolAffinity(
                affinity.pods(),
                affinity.nodeNames(),
                affinity.nodes(),
                List.of(names),
                affinity.namespaces(),
                affinity.networks());
        return this;
    }

    PoolBuilder inNamespaces(LabelSelector selector) {
        affinity = new PoolAffinity(
                affinity.pods(),
                affinity.nodeNames(),
                affinity.nodes(),
                affinity.namespaceNames(),
                Optional.of(selector),
                affinity.networks());
        return this;
    }

    PoolBuilder onNetworks(String... names) {
        affinity = new PoolAffinity(
                affinity.pods(),
                affinity.nodeNames(),
                affinity.nodes(),
                affinity.namespaceNames(),
                affinity.namespaces(),
                List.of(names));
        return this;
    }

    AddressPool build() {
        return new AddressPool(
                name,
                new PoolSpec(
                        subnet,
                        ips.stream()
                                .map(text -> IpText.range(subnet.family(), text).orElseThrow())
                                .toList(),
                        excluded,
                        gateway,
                        routes,
                        affinity,
                        preference,
                        giving),
                origin,
                terminating,
                records,
                damage);
    }

    /// For pods with these labels.
    static LabelSelector labelled(String... keysAndValues) {
        return new LabelSelector(labels(keysAndValues), List.of());
    }

    static SortedMap<String, String> labels(String... keysAndValues) {
        var labels = new TreeMap<String, String>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            labels.put(keysAndValues[at], keysAndValues[at + 1]);
        }
        return Collections.unmodifiableSortedMap(labels);
    }
}
