package io.cadastre.engine.pool.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PoolAffinity;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Rest;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Tended;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Subnets, their pools and applications in the words of a test. What is decided is written, and the map is checked
/// after each change.
final class SubnetWorld {

    /// How often a subnet is tended at most until nothing is left to do.
    private static final int TURNS_MAX = 10;

    private SubnetView view;
    private final SortedMap<OwnerApplication, String> applications = new TreeMap<>();

    private SubnetWorld(SubnetView view) {
        this.view = view;
    }

    static SubnetWorld of(PoolSubnet... subnets) {
        return new SubnetWorld(SubnetView.of(List.of(subnets), List.of(), RangeSet.EMPTY));
    }

    static PoolSubnet subnet(String name, String cidr, String... ips) {
        return new PoolSubnet(name, Prefix.parse(cidr), ranges(ips));
    }

    static RangeSet ranges(String... texts) {
        return new RangeSet(Arrays.stream(texts)
                .map(text -> IpText.range(text.indexOf(':') < 0 ? Family.IPV4 : Family.IPV6, text)
                        .orElseThrow())
                .toList());
    }

    static OwnerApplication deployment(String name) {
        return new OwnerApplication("apps/v1", "Deployment", "default", name);
    }

    static SubnetClaim claim(String subnet, OwnerApplication application, String uid, long count) {
        return new SubnetClaim(subnet, application, uid, "eth0", Family.IPV4, count, "+1", ReclaimPolicy.RECLAIM);
    }

    static SubnetClaim keeping(SubnetClaim claim) {
        return new SubnetClaim(
                claim.subnet(),
                claim.application(),
                claim.uid(),
                claim.nic(),
                claim.family(),
                claim.count(),
                claim.number(),
                ReclaimPolicy.KEEP);
    }

    SubnetView view() {
        return view;
    }

    SubnetWorld reserving(String... ips) {
        view = new SubnetView(view.subnets(), view.pools(), ranges(ips), view.applications());
        return this;
    }

    SubnetWorld living(OwnerApplication application, String uid) {
        applications.put(application, uid);
        return this;
    }

    SubnetWorld gone(OwnerApplication application) {
        applications.remove(application);
        return this;
    }

    /// A pool that a user wrote.
    SubnetWorld pool(String name, String cidr, String... ips) {
        return put(new SubnetPool(new AddressPool(
                name,
                new PoolSpec(
                        Prefix.parse(cidr),
                        ranges(ips).ranges(),
                        RangeSet.EMPTY,
                        Optional.empty(),
                        List.of(),
                        PoolAffinity.NONE,
                        Preference.NAMED,
                        Giving.ENABLED))));
    }

    SubnetWorld put(SubnetPool pool) {
        var pools = new TreeMap<>(view.pools());
        pools.put(pool.name(), pool);
        view = new SubnetView(view.subnets(), pools, view.reserved(), view.applications());
        return this;
    }

    SubnetWorld put(PoolSubnet subnet) {
        var subnets = new TreeMap<>(view.subnets());
        subnets.put(subnet.name(), subnet);
        view = new SubnetView(subnets, view.pools(), view.reserved(), view.applications());
        return this;
    }

    /// Pods have these addresses of the pool, and no others.
    SubnetWorld held(String pool, String... addresses) {
        var records = new TreeMap<Address, PoolRecord>();
        Arrays.stream(addresses)
                .forEach(address -> records.put(Address.parse(address), new PoolRecord("default/" + address, address)));
        return put(withRecords(foundPool(pool), records));
    }

    static SubnetPool withRecords(SubnetPool found, SortedMap<Address, PoolRecord> records) {
        var pool = found.pool();
        return new SubnetPool(
                new AddressPool(pool.name(), pool.spec(), pool.origin(), pool.terminating(), records, pool.damage()),
                found.subnet(),
                found.purpose());
    }

    SubnetOutcome claim(SubnetClaim claim) {
        return written(seen -> SubnetEngine.claim(seen, claim), Integer.MAX_VALUE)
                .outcome();
    }

    /// Writes only as many changes of the claim.
    SubnetOutcome interrupted(SubnetClaim claim, int changes) {
        return written(seen -> SubnetEngine.claim(seen, claim), changes).outcome();
    }

    void tend(String subnet) {
        for (int turn = 1; turn <= TURNS_MAX; turn++) {
            var tended = tendOnce(subnet);
            if (tended.rest() != Rest.MORE && tended.pools().isEmpty()) {
                written(seen -> SubnetEngine.label(seen, subnet), Integer.MAX_VALUE);
                return;
            }
            tended.pools()
                    .forEach(pool -> written(seen -> SubnetEngine.tendPool(seen, subnet, pool), Integer.MAX_VALUE));
        }
        throw new AssertionError("tending %s does not end".formatted(subnet));
    }

    /// Without the pools that it is to control or to delete.
    Tended tendOnce(String subnet) {
        return (Tended) written(seen -> SubnetEngine.tend(seen, subnet), Integer.MAX_VALUE)
                .outcome();
    }

    SubnetOutcome reclaim(OwnerApplication application, String uid) {
        return written(seen -> SubnetEngine.reclaim(seen, application, uid), Integer.MAX_VALUE)
                .outcome();
    }

    SubnetOutcome reclaimUnused(String pool) {
        return written(seen -> SubnetEngine.reclaimUnused(seen, pool), Integer.MAX_VALUE)
                .outcome();
    }

    /// The registrar in small: reads what is missing, and writes what is decided.
    Decision<SubnetChange, SubnetOutcome> written(
            Function<SubnetView, Decision<SubnetChange, SubnetOutcome>> law, int changesMax) {
        var seen = new SubnetView(view.subnets(), view.pools(), view.reserved(), Collections.emptySortedMap());
        while (true) {
            try {
                var decision = law.apply(seen);
                for (var change : decision.changes().stream().limit(changesMax).toList()) {
                    view = view.with(change);
                    check();
                }
                return decision;
            } catch (NotReadException notRead) {
                for (var missing : notRead.allMissing()) {
                    seen = read(seen, missing);
                }
            }
        }
    }

    private SubnetView read(SubnetView seen, io.cadastre.engine.Missing missing) {
        var application = ((MissingSubnetItem.OfApplication) missing).application();
        var uid = applications.get(application);
        return seen.withApplication(
                application, uid == null ? new ApplicationState.Absent() : new ApplicationState.Present(uid));
    }

    /// The pre-allocations of a subnet are inside it and disjoint, and so are the pools.
    void check() {
        for (var subnet : view.subnets().values()) {
            var all = RangeSet.EMPTY;
            for (var entry : subnet.preAllocations().entrySet()) {
                var addresses = entry.getValue().addresses();
                assertThat(addresses.minus(subnet.addresses()))
                        .as("%s outside %s", entry.getKey(), subnet.name())
                        .isEqualTo(RangeSet.EMPTY);
                assertThat(addresses.intersect(all))
                        .as("%s and others in %s", entry.getKey(), subnet.name())
                        .isEqualTo(RangeSet.EMPTY);
                all = all.union(addresses);
            }
        }
        var all = RangeSet.EMPTY;
        for (var pool : view.pools().values()) {
            assertThat(pool.addresses().intersect(all))
                    .as("pool %s and others", pool.name())
                    .isEqualTo(RangeSet.EMPTY);
            all = all.union(pool.addresses());
            for (var held : pool.pool().records().keySet()) {
                assertThat(pool.addresses().contains(held))
                        .as("%s of pool %s", held, pool.name())
                        .isTrue();
            }
        }
    }

    SubnetPool foundPool(String name) {
        return view.findPool(name).orElseThrow();
    }

    PoolSubnet foundSubnet(String name) {
        return view.findSubnet(name).orElseThrow();
    }

    PreAllocation entry(String subnet, String pool) {
        return Optional.ofNullable(foundSubnet(subnet).preAllocations().get(pool))
                .orElseThrow();
    }

    RangeSet preAllocated(String subnet, String pool) {
        return entry(subnet, pool).addresses();
    }

    RangeSet addresses(String pool) {
        return foundPool(pool).addresses();
    }

    int allocated(String subnet) {
        return foundSubnet(subnet).preAllocations().values().stream()
                .mapToInt(entry -> entry.addresses().size().intValueExact())
                .sum();
    }
}
