package io.cadastre.controller.spiderpool.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.controller.Controller;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.controller.spiderpool.subnet.SubnetSettings.Making;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The control loop with all its threads, on one store in memory.
@Timeout(180)
class SubnetPoolsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Instant BEGINNING = Instant.parse("2026-01-02T03:04:05Z");
    private static final List<Family> BOTH = List.of(Family.IPV4, Family.IPV6);

    private static final String UID = "5e303735-f184-4ced-873c-a5bd3f00c0de";
    private static final String LATER_UID = "5e303735-f184-4ced-873c-bbbbbb00c0de";
    private static final String POOL = "auto4-web-eth0-a5bd3";
    private static final String LATER_POOL = "auto4-web-eth0-bbbbb";

    private static final String OF_S = "ipam.spidernet.io/subnet={\"ipv4\":[\"s\"]}";

    private final MemoryDatastore store = new MemoryDatastore();
    private final List<Controller> running = new ArrayList<>();
    private final List<String> reports = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        running.forEach(Controller::close);
    }

    // ---- the cluster ----

    private Controller start(String identity) {
        return start(identity, store, Making.ON, 0);
    }

    private Controller start(String identity, Datastore seen, Making making, int redundancy) {
        return start(identity, seen, making, redundancy, Duration.ofMillis(300));
    }

    private Controller start(String identity, Datastore seen, Making making, int redundancy, Duration resync) {
        long started = System.nanoTime();
        var context = new ControllerContext(
                seen,
                new Ledger(new MemoryJournal()),
                () -> BEGINNING.plusNanos(System.nanoTime() - started),
                System::nanoTime,
                new SplittableRandom(identity.hashCode()),
                Thread::sleep,
                sentence -> reports.add(identity + ": " + sentence));
        var settings = new SubnetSettings(BOTH, making, redundancy, Duration.ofMillis(100), resync);
        var controller = Controller.start(
                new ControllerSettings(
                        new ElectionSettings(
                                "kube-system",
                                "cadastre-controller",
                                identity,
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(2),
                                Duration.ofMillis(100)),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                context,
                List.of(new SubnetPools(context, settings)));
        running.add(controller);
        return controller;
    }

    private void subnet(String name, String cidr, String ips) {
        apply(SpiderKinds.SUBNET, name, "{\"subnet\":\"%s\",\"ips\":[\"%s\"]}".formatted(cidr, ips));
    }

    private void apply(SpiderKind kind, String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        var given =
                new Given(kind, json, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)), BEGINNING, BOTH);
        var registrar = new Registrar<>(
                new ObjectBook(store),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(BEGINNING),
                new SplittableRandom(1),
                _ -> {});
        var outcome = registrar.enact(new Request<>("apply", view -> SpiderObjects.apply(view, given)));
        assertThat(outcome).isInstanceOf(ObjectOutcome.Created.class);
    }

    private void put(String key, UnaryOperator<ObjectNode> change) {
        // Ends: another writer conflicts now and then.
        while (true) {
            var former = store.get(key);
            var json = former.map(found -> Json.readObject(key, found.value())).orElseGet(Json::emptyObject);
            var value = Json.write(change.apply(json));
            var commit = store.commit(List.of(former.<Write>map(found -> new Write.Update(key, value, found.revision()))
                    .orElseGet(() -> new Write.Create(key, value))));
            if (commit instanceof Commit.Done) {
                return;
            }
        }
    }

    private void remove(String key) {
        put(key, json -> json);
        var commit = store.commit(
                List.of(new Write.Delete(key, store.get(key).orElseThrow().revision())));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    private static String key(WorkloadKind kind, String name) {
        return kind.keys() + "ns1/" + name;
    }

    /// @param annotations of its pods, each as `name=value`
    private void workload(WorkloadKind kind, String name, String uid, int replicas, String... annotations) {
        put(key(kind, name), json -> {
            json.putObject("metadata").put("name", name).put("namespace", "ns1").put("uid", uid);
            var spec = json.putObject("spec");
            var jobSpec = kind == WorkloadKind.CRON_JOB
                    ? spec.putObject("jobTemplate").putObject("spec")
                    : spec;
            switch (kind) {
                case JOB, CRON_JOB -> jobSpec.put("completions", replicas);
                case DAEMON_SET -> json.putObject("status").put("desiredNumberScheduled", replicas);
                default -> jobSpec.put("replicas", replicas);
            }
            var written = jobSpec.putObject("template").putObject("metadata").putObject("annotations");
            for (var annotation : annotations) {
                int equals = annotation.indexOf('=');
                written.put(annotation.substring(0, equals), annotation.substring(equals + 1));
            }
            return json;
        });
    }

    private void deployment(String name, String uid, int replicas, String... annotations) {
        workload(WorkloadKind.DEPLOYMENT, name, uid, replicas, annotations);
    }

    private boolean exists(String pool) {
        return store.get(SpiderKeys.pool(pool)).isPresent();
    }

    private ObjectNode json(String key) {
        return Json.readObject(key, store.get(key).orElseThrow().value());
    }

    private String ips(String pool) {
        return exists(pool) ? json(SpiderKeys.pool(pool)).at("/spec/ips").toString() : "";
    }

    private String status(String subnet) {
        return json(SpiderKeys.SUBNETS + subnet).path("status").toString();
    }

    private void awaitIps(String pool, String ips) {
        await().atMost(PATIENCE).until(() -> ips(pool).equals("[\"%s\"]".formatted(ips)));
    }

    private void awaitAllocated(String subnet, int count) {
        await().atMost(PATIENCE).until(() -> status(subnet).contains("\"allocatedIPCount\":%d,".formatted(count)));
    }

    private void occupy(String pool, String address) {
        put(SpiderKeys.pool(pool), json -> {
            var status = (ObjectNode) json.get("status");
            status.put("allocatedIPs", "{\"%s\":{\"pod\":\"ns1/a\",\"podUid\":\"u1\"}}".formatted(address));
            status.put("allocatedIPCount", 1);
            return json;
        });
    }

    // ---- growing and shrinking ----

    @Test
    @DisplayName("C85, C86, C90: a Deployment gets a pool, which grows and shrinks with it and goes with it")
    void c85PoolFollowsItsDeployment() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S, "ipam.spidernet.io/ippool-ip-number=+1");
        start("a");

        awaitIps(POOL, "10.6.168.101-10.6.168.103");
        awaitAllocated("s", 3);
        deployment("web", UID, 3, OF_S, "ipam.spidernet.io/ippool-ip-number=+1");
        awaitIps(POOL, "10.6.168.101-10.6.168.104");
        deployment("web", UID, 1, OF_S, "ipam.spidernet.io/ippool-ip-number=+1");
        awaitIps(POOL, "10.6.168.103-10.6.168.104");
        awaitAllocated("s", 2);
        remove(key(WorkloadKind.DEPLOYMENT, "web"));

        await().atMost(PATIENCE).until(() -> !exists(POOL));
        awaitAllocated("s", 0);
        assertThat(status("s")).isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":10}");
        assertThat(reports).contains("a: reclaims " + POOL);
    }

    @Test
    @DisplayName("C87: a fixed number does not follow the replicas")
    void c87FixedNumber() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S, "ipam.spidernet.io/ippool-ip-number=5");
        start("a");

        awaitIps(POOL, "10.6.168.101-10.6.168.105");
        deployment("web", UID, 4, OF_S, "ipam.spidernet.io/ippool-ip-number=5");
        deployment("shop", LATER_UID, 1, OF_S);
        awaitIps("auto4-shop-eth0-bbbbb", "10.6.168.106");

        assertThat(ips(POOL)).isEqualTo("[\"10.6.168.101-10.6.168.105\"]");
    }

    @Test
    void poolWithoutANumberHasTheRedundancyOfTheCluster() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        start("a", store, Making.ON, 2);

        awaitIps(POOL, "10.6.168.101-10.6.168.104");
        assertThat(json(SpiderKeys.pool(POOL))
                        .at("/metadata/annotations/ipam.spidernet.io~1ippool-ip-number")
                        .asText())
                .isEqualTo("+2");
    }

    @ParameterizedTest
    @CsvSource({
        "REPLICA_SET, 3, 10.6.168.101-10.6.168.103",
        "STATEFUL_SET, 2, 10.6.168.101-10.6.168.102",
        "DAEMON_SET, 3, 10.6.168.101-10.6.168.103",
        "JOB, 4, 10.6.168.101-10.6.168.104",
        "CRON_JOB, 1, 10.6.168.101"
    })
    @DisplayName("C91, C92: every kind gets a pool")
    void c92EveryKind(WorkloadKind kind, int replicas, String ips) {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        start("a");

        workload(kind, "web", UID, replicas, OF_S, "ipam.spidernet.io/ippool-ip-number=+0");

        awaitIps(POOL, ips);
    }

    @Test
    @DisplayName("C99: each interface and family has a pool of its own")
    void c99EachInterfaceAndFamily() {
        subnet("s1", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        subnet("s2", "10.7.0.0/16", "10.7.168.101-10.7.168.110");
        subnet("s6", "fd00::/64", "fd00::1-fd00::ff");
        deployment(
                "web",
                UID,
                1,
                "ipam.spidernet.io/subnets=[{\"interface\":\"eth0\",\"ipv4\":[\"s1\"],\"ipv6\":[\"s6\"]},{\"interface\":\"net1\",\"ipv4\":[\"s2\"]}]");

        start("a");

        awaitIps("auto4-web-eth0-a5bd3", "10.6.168.101");
        awaitIps("auto6-web-eth0-a5bd3", "fd00::1");
        awaitIps("auto4-web-net1-a5bd3", "10.7.168.101");
    }

    // ---- what is refused ----

    @Test
    @DisplayName("C93: too few addresses make no pool, are reported once, and one that is returned is used")
    void c93TooFewAddresses() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.104");
        deployment("big", LATER_UID, 2, OF_S);
        start("a");
        awaitAllocated("s", 2);

        deployment("web", UID, 3, OF_S);
        await().atMost(PATIENCE)
                .until(() -> reports.contains(
                        "a: cannot make the pools of Deployment ns1/web: insufficient subnet FreeIPs, required"
                                + " '3' but only left '2'"));
        assertThat(exists(POOL)).isFalse();
        remove(key(WorkloadKind.DEPLOYMENT, "big"));

        await().atMost(PATIENCE).until(() -> exists(POOL));
        assertThat(reports)
                .filteredOn(report -> report.contains("insufficient"))
                .hasSize(1);
    }

    @Test
    @DisplayName("C100: one subnet for two interfaces makes no pool")
    void c100OneSubnetForTwoInterfaces() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment(
                "web",
                UID,
                1,
                "ipam.spidernet.io/subnets=[{\"interface\":\"eth0\",\"ipv4\":[\"s\"]},{\"interface\":\"net1\",\"ipv4\":[\"s\"]}]");

        start("a");

        await().atMost(PATIENCE)
                .until(() -> reports.stream()
                        .anyMatch(report ->
                                report.contains("it's invalid to use the same subnet for multiple interfaces")));
        assertThat(store.listAll(SpiderKeys.POOLS).documents()).isEmpty();
    }

    @Test
    @DisplayName("C101: pods that have the network of their node need no pool")
    void c101HostNetwork() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        put(key(WorkloadKind.DEPLOYMENT, "web"), json -> {
            ((ObjectNode) json.at("/spec/template")).putObject("spec").put("hostNetwork", true);
            return json;
        });
        start("a");

        deployment("later", LATER_UID, 1, OF_S);
        await().atMost(PATIENCE).until(() -> exists("auto4-later-eth0-bbbbb"));

        assertThat(exists(POOL)).isFalse();
    }

    @Test
    @DisplayName("C97: no pool is made where that is off, and subnets are tended all the same")
    void c97MakingIsOff() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        apply(SpiderKinds.POOL, "p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.110\"]}");
        start("a", store, Making.OFF, 0);

        awaitAllocated("s", 1);

        assertThat(exists(POOL)).isFalse();
    }

    // ---- taking back ----

    @Test
    @DisplayName("C88: a pool that is kept is inherited by the next application of its name")
    void c88KeptPool() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S, "ipam.spidernet.io/ippool-reclaim=false");
        start("a");
        awaitIps(POOL, "10.6.168.101-10.6.168.102");

        remove(key(WorkloadKind.DEPLOYMENT, "web"));
        deployment("web", LATER_UID, 3, OF_S, "ipam.spidernet.io/ippool-reclaim=false");

        awaitIps(POOL, "10.6.168.101-10.6.168.103");
        assertThat(json(SpiderKeys.pool(POOL))
                        .at("/metadata/labels/ipam.spidernet.io~1owner-application-uid")
                        .asText())
                .isEqualTo(LATER_UID);
        assertThat(exists(LATER_POOL)).isFalse();
    }

    @Test
    void applicationThatIsReplacedUnderItsNameGetsAnotherPool() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        start("a");
        awaitIps(POOL, "10.6.168.101-10.6.168.102");

        deployment("web", LATER_UID, 2, OF_S);

        await().atMost(PATIENCE).until(() -> exists(LATER_POOL));
        await().atMost(PATIENCE).until(() -> !exists(POOL));
        awaitAllocated("s", 2);
    }

    @Test
    void poolInUseStaysWithItsPreAllocationUntilTheLastAddressIsReleased() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        start("a");
        awaitIps(POOL, "10.6.168.101-10.6.168.102");
        occupy(POOL, "10.6.168.101");

        remove(key(WorkloadKind.DEPLOYMENT, "web"));
        await().atMost(PATIENCE)
                .until(() -> json(SpiderKeys.pool(POOL))
                        .at("/metadata/deletionTimestamp")
                        .isTextual());
        assertThat(status("s")).contains("\"allocatedIPCount\":2");
        // The agent removes the pool with the last release.
        remove(SpiderKeys.pool(POOL));

        awaitAllocated("s", 0);
    }

    @Test
    void poolOfAnApplicationThatWentWhileNoControllerRanIsReclaimedOnceItIsUnused() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        var first = start("a");
        awaitIps(POOL, "10.6.168.101-10.6.168.102");
        occupy(POOL, "10.6.168.101");
        first.close();
        running.remove(first);
        remove(key(WorkloadKind.DEPLOYMENT, "web"));

        start("b");
        deployment("shop", LATER_UID, 1, OF_S);
        await().atMost(PATIENCE).until(() -> exists("auto4-shop-eth0-bbbbb"));
        assertThat(exists(POOL)).isTrue();
        put(SpiderKeys.pool(POOL), json -> {
            ((ObjectNode) json.get("status")).remove("allocatedIPs");
            return json;
        });

        await().atMost(PATIENCE).until(() -> !exists(POOL));
        awaitAllocated("s", 1);
    }

    @Test
    @DisplayName("C24, C26: pools are adopted, and what the status should not say goes")
    void c24SubnetsAreTended() {
        apply(SpiderKinds.POOL, "p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.110\"]}");
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        put(SpiderKeys.SUBNETS + "s", json -> {
            ((ObjectNode) json.get("status")).put("controlledIPPools", "{\"ghost\":{\"ips\":[\"10.6.168.101\"]}}");
            return json;
        });
        start("a");

        await().atMost(PATIENCE)
                .until(
                        () -> status("s")
                                .equals(
                                        "{\"allocatedIPCount\":1,\"controlledIPPools\":\"{\\\"p\\\":{\\\"ips\\\":[\\\"10.6.168.110\\\"]}}\",\"totalIPCount\":10}"));
        assertThat(json(SpiderKeys.pool("p"))
                        .at("/metadata/ownerReferences/0/name")
                        .asText())
                .isEqualTo("s");
        remove(SpiderKeys.pool("p"));
        awaitAllocated("s", 0);
    }

    @Test
    void poolThatMayNotBeAdoptedIsReportedOnceAndHoldsUpNoOther() {
        apply(SpiderKinds.POOL, "p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.108\"]}");
        apply(SpiderKinds.POOL, "q", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.109\"]}");
        apply(SpiderKinds.POOL, "r", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.110\"]}");
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        var refusing = new RefusingStore(store, SpiderKeys.pool("p"), new AtomicBoolean(true), new AtomicInteger());
        start("a", refusing, Making.ON, 0);

        awaitAllocated("s", 2);
        deployment("web", UID, 2, OF_S);
        awaitIps(POOL, "10.6.168.101-10.6.168.102");
        int before = refusing.count().get();
        await().atMost(PATIENCE).until(() -> refusing.count().get() > before + 2);
        assertThat(reports)
                .filteredOn(report -> report.contains("out of order"))
                .hasSize(1);
        assertThat(reports).anyMatch(report -> report.contains("SpiderSubnet s cannot have pool p as it should be"));
        refusing.refuses().set(false);

        awaitAllocated("s", 5);
    }

    /// Refuses to change one object, as an API server does when a webhook refuses it.
    private record RefusingStore(Datastore store, String key, AtomicBoolean refuses, AtomicInteger count)
            implements ForwardingDatastore {
        @Override
        public Commit commit(List<Write> writes) {
            if (refuses.get() && writes.stream().anyMatch(write -> write.key().equals(key))) {
                count.incrementAndGet();
                throw new DatastoreException(DatastoreException.Kind.FAILED, "out of order: write " + key);
            }
            return store.commit(writes);
        }
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

    @Test
    void manyPoolsAreListedOncePerPass() {
        subnet("s", "10.6.0.0/16", "10.6.1.0-10.6.2.255");
        for (int app = 0; app < 300; app++) {
            deployment("app" + app, "0-%05d".formatted(app), 1, OF_S);
        }
        var first = start("a", store, Making.ON, 0, Duration.ofMinutes(5));
        awaitAllocated("s", 300);
        first.close();
        running.remove(first);
        var listing = new ListingStore(store, new AtomicInteger());

        start("b", listing, Making.ON, 0, Duration.ofMinutes(5));
        for (int app = 0; app < 3; app++) {
            deployment("more" + app, "1-%05d".formatted(app), 1, OF_S);
        }
        awaitAllocated("s", 303);
        remove(key(WorkloadKind.DEPLOYMENT, "app7"));
        awaitAllocated("s", 302);

        assertThat(listing.lists()).hasValueLessThan(60);
    }

    @Test
    void applicationThatCannotBeCountedHoldsUpNoOther() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("huge", LATER_UID, 1, OF_S, "ipam.spidernet.io/ippool-ip-number=+1");
        put(key(WorkloadKind.DEPLOYMENT, "huge"), json -> {
            ((ObjectNode) json.get("spec")).put("replicas", Long.MAX_VALUE);
            return json;
        });
        deployment("web", UID, 1, OF_S);
        start("a");

        awaitIps(POOL, "10.6.168.101");
        deployment("web", UID, 2, OF_S);
        awaitIps(POOL, "10.6.168.101-10.6.168.102");
    }

    /// A store that applies writes one by one, as an API server does.
    private record OneByOneStore(Datastore store) implements ForwardingDatastore {
        @Override
        public boolean atomic() {
            return false;
        }
    }

    private List<ObjectNode> events() {
        return store.listAll(CoreKeys.EVENTS).documents().stream()
                .map(document -> Json.readObject(document.key(), document.value()))
                .toList();
    }

    @Test
    void applicationWhoseSubnetHasAnotherPrefixHasAnEventOnItsPool() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        deployment("web", UID, 2, OF_S);
        var first = start("a");
        awaitIps(POOL, "10.6.168.101-10.6.168.102");
        first.close();
        running.remove(first);
        put(SpiderKeys.SUBNETS + "s", json -> {
            ((ObjectNode) json.get("spec"))
                    .put("subnet", "10.7.0.0/16")
                    .putArray("ips")
                    .add("10.7.0.1-10.7.0.9");
            ((ObjectNode) json.get("status")).remove("controlledIPPools");
            return json;
        });

        start("b", new OneByOneStore(store), Making.ON, 0);
        await().atMost(PATIENCE).until(() -> events().size() == 1);
        deployment("web", UID, 3, OF_S);
        await().atMost(PATIENCE)
                .until(() -> events().getFirst().path("count").toString().equals("2"));

        var event = events().getFirst();
        assertThat(events()).hasSize(1);
        assertThat(event.path("type").asText()).isEqualTo("Warning");
        assertThat(event.path("reason").asText()).isEqualTo("ApplicationSubnetChanged");
        assertThat(event.at("/source/component").asText()).isEqualTo("spiderpool");
        assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("SpiderIPPool");
        assertThat(event.at("/involvedObject/name").asText()).isEqualTo(POOL);
        assertThat(event.at("/involvedObject/uid"))
                .isEqualTo(json(SpiderKeys.pool(POOL)).at("/metadata/uid"));
        assertThat(event.path("message").asText()).contains("10.6.0.0/16", "SpiderSubnet s is 10.7.0.0/16");
    }

    @Test
    @DisplayName("C102: ten applications come and go again and again, and nothing is left")
    void c102ComingAndGoing() {
        subnet("s", "10.6.0.0/16", "10.6.168.1-10.6.168.100");
        start("a");
        for (int round = 0; round < 20; round++) {
            for (int app = 0; app < 10; app++) {
                deployment("app" + app, "0-%02d%02d".formatted(round, app), 2, OF_S);
            }
            if (round % 5 == 0) {
                awaitAllocated("s", 20);
            }
            for (int app = 0; app < 10; app++) {
                remove(key(WorkloadKind.DEPLOYMENT, "app" + app));
            }
        }

        awaitAllocated("s", 0);
        await().atMost(PATIENCE)
                .until(() -> store.listAll(SpiderKeys.POOLS).documents().isEmpty());
        await().atMost(PATIENCE).until(() -> status("s").equals("{\"allocatedIPCount\":0,\"totalIPCount\":100}"));
    }

    @Test
    void onlyTheLeaderMakesPoolsAndTheNextOneGoesOn() {
        subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110");
        var first = start("a");
        deployment("web", UID, 2, OF_S);
        awaitIps(POOL, "10.6.168.101-10.6.168.102");
        start("b");
        first.close();
        running.remove(first);

        deployment("web", UID, 3, OF_S);

        awaitIps(POOL, "10.6.168.101-10.6.168.103");
    }

    @Test
    void variableThatIsNoValueIsAnError() {
        var settings = SpiderpoolSettings.of(Map.of());

        assertThatThrownBy(
                        () -> SubnetSettings.of(settings, Map.of("SPIDERPOOL_WORKQUEUE_RETRY_DELAY_DURATION", "soon")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SPIDERPOOL_WORKQUEUE_RETRY_DELAY_DURATION is 'soon'")
                .hasMessageContaining("unset it (default 5)");
        assertThat(SubnetSettings.of(settings, Map.of()).retryDelay()).isEqualTo(Duration.ofSeconds(5));
    }
}
