package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.PoolAgentFixture.add;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.ReclaimPolicy;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetEngine;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SubnetBook;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Pods whose pool is made of a subnet.
class ApplicationPoolsTest {

    private static final String WEB_UID = "5e303735-f184-4ced-873c-a5bd3f00c0de";
    private static final OwnerApplication WEB = new OwnerApplication("apps/v1", "Deployment", "ns1", "web");

    private final PoolAgentFixture cluster = new PoolAgentFixture();

    @BeforeEach
    void putSubnet() {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", "s");
        json.set(
                "spec",
                Json.readObject(
                        "spec",
                        Bytes.ofUtf8(
                                "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.101-10.6.168.110\"],\"gateway\":\"10.6.0.1\"}")));
        var page = new ObjectBook(cluster.store).open();
        var decision = SpiderObjects.apply(
                page.view(),
                new Given(
                        SpiderKinds.SUBNET,
                        json,
                        new UUID(0, 7),
                        PoolAgentFixture.NOW,
                        List.of(Family.IPV4, Family.IPV6)));
        assertThat(decision.outcome()).isEqualTo(new ObjectOutcome.Created());
        page.with(decision.changes()).save();
    }

    /// A pod of a Deployment.
    private void pod(String name, String uid) {
        pod(name, uid, "apps/v1", "Deployment", "web", WEB_UID);
    }

    private void pod(String name, String uid, String... owner) {
        var json = Json.emptyObject().put("kind", "Pod").put("apiVersion", "v1");
        var metadata = json.putObject("metadata")
                .put("name", name)
                .put("namespace", "ns1")
                .put("uid", uid);
        metadata.putObject("annotations").put("ipam.spidernet.io/subnet", "{\"ipv4\":[\"s\"]}");
        if (owner.length > 0) {
            metadata.putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", owner[0])
                    .put("kind", owner[1])
                    .put("name", owner[2])
                    .put("uid", owner[3])
                    .put("controller", true);
        }
        json.putObject("spec").put("nodeName", "n1");
        json.putObject("status").put("phase", "Running");
        cluster.put(CoreKeys.PODS + "ns1/" + name, json.toString());
    }

    private void deployment(int replicas) {
        cluster.put(
                WorkloadKind.DEPLOYMENT.key(WEB),
                "{\"metadata\":{\"uid\":\"%s\"},\"spec\":{\"replicas\":%d}}".formatted(WEB_UID, replicas));
    }

    /// As the controller does it.
    private void makePool(String uid, long count) {
        var page = new SubnetBook(cluster.store, InstantSource.fixed(PoolAgentFixture.NOW), new SplittableRandom(1))
                .open();
        var decision = SubnetEngine.claim(
                page.view(), new SubnetClaim("s", WEB, uid, "eth0", Family.IPV4, count, "+0", ReclaimPolicy.RECLAIM));
        page.with(decision.changes()).save();
    }

    private PoolAgent agent(PoolAgentSettings settings, Pause pause) {
        return new PoolAgent(
                new AgentContext(
                        cluster.store,
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(PoolAgentFixture.NOW),
                        new SplittableRandom(1),
                        pause),
                "n1",
                settings);
    }

    private void checkRefused(PoolAgent agent, String pod, String uid, String nic, String words) {
        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> agent.allocate(add(pod, uid, nic)))
                .withMessageContaining(words);
    }

    @Test
    @DisplayName("C85: pods of the application get the lowest addresses of its pool")
    void c85PodsGetAddressesOfTheirPool() {
        deployment(3);
        makePool(WEB_UID, 3);
        pod("a", "u1");
        pod("b", "u2");

        assertThat(given(cluster.agent(), "a", "u1")).containsExactly("10.6.168.101/16");
        assertThat(given(cluster.agent(), "b", "u2")).containsExactly("10.6.168.102/16");
    }

    @Test
    void podWaitsUntilThePoolIsThereAndHasItsSize() {
        deployment(3);
        pod("a", "u1");
        var pauses = new ArrayList<Duration>();
        var agent = agent(PoolAgentSettings.of(Map.of()), duration -> {
            pauses.add(duration);
            switch (pauses.size()) {
                case 3 -> makePool(WEB_UID, 1);
                case 5 -> makePool(WEB_UID, 3);
                default -> {}
            }
        });

        assertThat(given(agent, "a", "u1")).containsExactly("10.6.168.101/16");
        assertThat(pauses).hasSize(5).allMatch(Duration.ofSeconds(2)::equals);
    }

    /// Counts how often all pools are listed.
    private record ListingStore(Datastore store, AtomicInteger lists) implements ForwardingDatastore {
        @Override
        public Listing list(String prefix, int limit) {
            if (prefix.equals(SpiderKeys.POOLS)) {
                lists.incrementAndGet();
            }
            return store.list(prefix, limit);
        }
    }

    private PoolAgent agent(Datastore store, Pause pause) {
        return new PoolAgent(
                new AgentContext(
                        store,
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(PoolAgentFixture.NOW),
                        new SplittableRandom(1),
                        pause),
                "n1",
                PoolAgentSettings.of(Map.of()));
    }

    @Test
    void podThatWaitsListsNoPoolsOfOthers() {
        deployment(3);
        pod("a", "u1");
        var listing = new ListingStore(cluster.store, new AtomicInteger());

        checkRefused(agent(listing, _ -> {}), "a", "u1", "eth0", "no matching auto-created IPPool candidate");

        assertThat(listing.lists()).hasValue(0);
    }

    @Test
    void podOfAThirdPartysApplicationListsPoolsOnlyWhileItsOwnIsToBeMade() {
        pod("a", "u1", "apps.kruise.io/v1alpha1", "CloneSet", "kruise", "1-2-3-4-c10e5e7");
        pod("b", "u2", "apps.kruise.io/v1alpha1", "CloneSet", "kruise", "1-2-3-4-c10e5e7");
        cluster.annotate("a", "ipam.spidernet.io/ippool-ip-number", "2");
        cluster.annotate("b", "ipam.spidernet.io/ippool-ip-number", "2");
        var listing = new ListingStore(cluster.store, new AtomicInteger());
        var agent = agent(listing, _ -> {});
        assertThat(given(agent, "a", "u1")).containsExactly("10.6.168.101/16");
        int made = listing.lists().get();

        assertThat(given(agent, "b", "u2")).containsExactly("10.6.168.102/16");

        assertThat(made).isPositive();
        // The pool is compared with its rivals when it has addresses to give, and then as it was.
        assertThat(listing.lists().get() - made).isLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("C88: a pool that is kept from an earlier application is found by what its subnet notes")
    void c88KeptPoolIsFound() {
        deployment(3);
        var former = new SubnetClaim(
                "s", WEB, "5e303735-f184-4ced-873c-0ld000000000", "eth0", Family.IPV4, 3, "+0", ReclaimPolicy.KEEP);
        var now = new SubnetClaim("s", WEB, WEB_UID, "eth0", Family.IPV4, 3, "+0", ReclaimPolicy.KEEP);
        for (var claim : List.of(former, now)) {
            var page = new SubnetBook(cluster.store, InstantSource.fixed(PoolAgentFixture.NOW), new SplittableRandom(1))
                    .open();
            page.with(SubnetEngine.claim(page.view(), claim).changes()).save();
        }
        pod("a", "u1");
        var pauses = new ArrayList<Duration>();

        assertThat(given(agent(PoolAgentSettings.of(Map.of()), pauses::add), "a", "u1"))
                .containsExactly("10.6.168.101/16");

        assertThat(pauses).isEmpty();
        assertThat(cluster.store.get(SpiderKeys.pool(now.poolName()))).isEmpty();
    }

    @Test
    void poolOfAnotherSizeIsUsedInTheEnd() {
        deployment(3);
        makePool(WEB_UID, 1);
        pod("a", "u1");
        var pauses = new ArrayList<Duration>();

        assertThat(given(agent(PoolAgentSettings.of(Map.of()), pauses::add), "a", "u1"))
                .containsExactly("10.6.168.101/16");
        assertThat(pauses).hasSize(24);
    }

    @Test
    void redundancyOfTheClusterCountsWhereThePoolIsWaitedFor() {
        deployment(2);
        makePool(WEB_UID, 4);
        pod("a", "u1");
        var pauses = new ArrayList<Duration>();
        var settings = PoolAgentSettings.of(io.cadastre.wire.spiderpool.settings.SpiderpoolSettings.of(
                "conf.yml", Json.emptyObject().put("clusterSubnetDefaultFlexibleIPNumber", 2), Map.of()));

        assertThat(given(agent(settings, pauses::add), "a", "u1")).containsExactly("10.6.168.101/16");
        assertThat(pauses).isEmpty();
    }

    @Test
    @DisplayName("C93: a pod without a pool fails after the wait")
    void c93PodWithoutAPoolFails() {
        deployment(3);
        pod("a", "u1");
        var pauses = new ArrayList<Duration>();

        checkRefused(
                agent(PoolAgentSettings.of(Map.of()), pauses::add),
                "a",
                "u1",
                "eth0",
                "no matching auto-created IPPool candidate with matchLables");

        assertThat(pauses).hasSize(24);
    }

    @Test
    void waitEndsBeforeTheCallMust() {
        deployment(3);
        pod("a", "u1");
        var waited = new ArrayList<Duration>();
        var settings = PoolAgentSettings.of(Map.of("SPIDERPOOL_WAIT_SUBNET_POOL_TIME_IN_SECOND", "20"));
        var agent = new PoolAgent(
                new AgentContext(
                        cluster.store,
                        new Ledger(new MemoryJournal()),
                        () -> PoolAgentFixture.NOW.plus(waited.stream().reduce(Duration.ZERO, Duration::plus)),
                        new SplittableRandom(1),
                        waited::add),
                "n1",
                settings);

        checkRefused(agent, "a", "u1", "eth0", "no matching auto-created IPPool");

        assertThat(waited).hasSize(3);
    }

    @Test
    @DisplayName("C96: a pod that belongs to nothing is refused")
    void c96BarePod() {
        pod("a", "u1", new String[0]);

        checkRefused(cluster.agent(), "a", "u1", "eth0", "SpiderSubnet feature doesn't support no-controller pod");
    }

    @Test
    @DisplayName("C97: where no pools are made for applications, the annotation is refused")
    void c97PoolsForApplicationsAreOff() {
        deployment(1);
        pod("a", "u1");
        var features = EnumSet.allOf(SpiderpoolSwitch.class);
        features.remove(SpiderpoolSwitch.AUTO_POOL);

        checkRefused(
                cluster.agent(features),
                "a",
                "u1",
                "eth0",
                "it's invalid to use 'ipam.spidernet.io/subnets' or 'ipam.spidernet.io/subnet' annotation when"
                        + " Auto-Pool feature is disabled");
        assertThat(cluster.store.listAll(SpiderKeys.POOLS).documents()).isEmpty();
    }

    @Test
    void annotationIsNotReadWhereSubnetsAreOff() {
        deployment(1);
        pod("a", "u1");
        cluster.pool("p", "{\"subnet\":\"10.9.0.0/24\",\"ips\":[\"10.9.0.9\"],\"default\":true}");
        var features = EnumSet.allOf(SpiderpoolSwitch.class);
        features.remove(SpiderpoolSwitch.SPIDER_SUBNET);

        assertThat(given(cluster.agent(features), "a", "u1")).containsExactly("10.9.0.9/24");
    }

    @Test
    @DisplayName("C98: the agent makes the pool of a third party's application, which must name a number")
    void c98ApplicationOfAThirdParty() {
        pod("a", "u1", "apps.kruise.io/v1alpha1", "CloneSet", "kruise", "1-2-3-4-c10e5e7");
        pod("b", "u2", "apps.kruise.io/v1alpha1", "CloneSet", "kruise", "1-2-3-4-c10e5e7");
        checkRefused(cluster.agent(), "a", "u1", "eth0", "CloneSet/ns1/kruise only supports fixed");
        cluster.annotate("a", "ipam.spidernet.io/ippool-ip-number", "2");
        cluster.annotate("b", "ipam.spidernet.io/ippool-ip-number", "2");

        assertThat(given(cluster.agent(), "a", "u1")).containsExactly("10.6.168.101/16");
        assertThat(given(cluster.agent(), "b", "u2")).containsExactly("10.6.168.102/16");

        var pool = cluster.json(SpiderKeys.pool("auto4-kruise-eth0-c10e5"));
        assertThat(pool.at("/spec/ips").toString()).isEqualTo("[\"10.6.168.101-10.6.168.102\"]");
        assertThat(pool.at("/metadata/labels/ipam.spidernet.io~1owner-application-gv")
                        .asText())
                .isEqualTo("apps.kruise.io_v1alpha1");
        assertThat(cluster.json(SpiderKeys.SUBNETS + "s")
                        .at("/status/allocatedIPCount")
                        .toString())
                .isEqualTo("2");
    }

    @Test
    void interfaceThatTheAnnotationDoesNotNameIsRefusedAtOnce() {
        deployment(1);
        makePool(WEB_UID, 1);
        pod("a", "u1");
        var pauses = new ArrayList<Duration>();

        checkRefused(
                agent(PoolAgentSettings.of(Map.of()), pauses::add),
                "a",
                "u1",
                "net1",
                "names no SpiderSubnet for NIC net1");
        assertThat(pauses).isEmpty();
    }

    @Test
    void podThatHasAnAddressGetsItAgainAlthoughItsPoolIsGone() {
        deployment(1);
        makePool(WEB_UID, 1);
        pod("a", "u1");
        assertThat(given(cluster.agent(), "a", "u1")).containsExactly("10.6.168.101/16");
        cluster.remove(SpiderKeys.pool("auto4-web-eth0-a5bd3"));
        var pauses = new ArrayList<Duration>();

        assertThat(given(agent(PoolAgentSettings.of(Map.of()), pauses::add), "a", "u1"))
                .containsExactly("10.6.168.101/16");
        assertThat(pauses).isEmpty();
    }

    @Test
    void explanationDoesNotWaitAndMakesNothing() {
        deployment(1);
        pod("a", "u1");
        pod("k", "u2", "apps.kruise.io/v1alpha1", "CloneSet", "kruise", "1-2-3-4-c10e5e7");
        cluster.annotate("k", "ipam.spidernet.io/ippool-ip-number", "2");
        var pauses = new ArrayList<Duration>();
        var agent = agent(PoolAgentSettings.of(Map.of()), pauses::add);

        var nativeOne = agent.explain(add("a", "u1", "eth0"));
        var third = agent.explain(add("k", "u2", "eth0"));

        assertThat(nativeOne.toString()).contains("no matching auto-created IPPool candidate");
        assertThat(third.toString()).contains("no matching auto-created IPPool candidate");
        assertThat(pauses).isEmpty();
        assertThat(cluster.store.listAll(SpiderKeys.POOLS).documents()).isEmpty();
    }

    @Test
    @DisplayName("C100: an annotation that cannot be meant is refused")
    void c100BrokenAnnotation() {
        deployment(1);
        pod("a", "u1");
        cluster.annotate(
                "a",
                "ipam.spidernet.io/subnets",
                "[{\"interface\":\"eth0\",\"ipv4\":[\"s\"]},{\"interface\":\"net1\",\"ipv4\":[\"s\"]}]");

        checkRefused(cluster.agent(), "a", "u1", "eth0", "it's invalid to use the same subnet for multiple interfaces");
    }

    @Test
    void podWhoseApplicationIsNotInTheStoreTakesThePoolAsItIs() {
        makePool(WEB_UID, 2);
        pod("a", "u1");

        assertThat(given(cluster.agent(), "a", "u1")).containsExactly("10.6.168.101/16");
        assertThat(((ObjectNode) cluster.json(SpiderKeys.SUBNETS + "s")).has("status"))
                .isTrue();
    }
}
