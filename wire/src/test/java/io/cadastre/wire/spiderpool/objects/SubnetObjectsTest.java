package io.cadastre.wire.spiderpool.objects;

import static io.cadastre.wire.spiderpool.objects.SubnetFixture.claim;
import static io.cadastre.wire.spiderpool.objects.SubnetFixture.given;
import static io.cadastre.wire.spiderpool.objects.SubnetFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.SubnetUse;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Subnets as users write them, and pools of them.
class SubnetObjectsTest {

    private static final String WEB_UID = "ce530a60-02fb-43ee-a355-cc3cfaac9db4";
    private static final String AUTO = "auto4-web-eth0-cc3cf";

    private static final String S1 = """
        {"subnet":"10.20.0.0/16","ips":["10.20.168.101-10.20.168.110"],"gateway":"10.20.0.1",
        "routes":[{"dst":"10.7.0.0/16","gw":"10.20.0.2"}]}\
        """;

    private final SubnetFixture world = new SubnetFixture(new MemoryDatastore());

    private void checkLike(String scene, String plural, String name) {
        var golden = SpiderpoolGolden.stored(scene, plural + "/" + name).json();
        var written = world.json("/cadastre/apis/spiderpool.spidernet.io/v2beta1/%s/%s".formatted(plural, name));
        for (var tree : List.of(golden, written)) {
            Trees.child(tree, "metadata")
                    .remove(List.of("uid", "creationTimestamp", "generation", "resourceVersion", "managedFields"));
            tree.at("/metadata/ownerReferences").forEach(owner -> ((ObjectNode) owner).put("uid", "any"));
        }
        assertThat(Trees.sorted(written)).isEqualTo(Trees.sorted(golden));
    }

    @Test
    @DisplayName("SR-07, SG-11: a subnet is completed and counted as Spiderpool does it")
    void sr07SubnetIsCompleted() {
        assertThat(world.subnet("s1", S1)).isEqualTo(new ObjectOutcome.Created());

        checkLike("SR-07", "spidersubnets", "s1");
        assertThat(world.subnet("s1", S1)).isEqualTo(new ObjectOutcome.Unchanged());
    }

    @Test
    @DisplayName("SR-08, C22, SG-12, SG-13: a pool of its prefix is the subnet's, and inherits gateway and routes")
    void sr08PoolIsTheSubnets() {
        world.subnet("s1", S1);

        world.pool("sm", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.108-10.20.168.110\"]}");
        world.tend("s1");

        checkLike("SR-08", "spidersubnets", "s1");
        checkLike("SR-08", "spiderippools", "sm");
        assertThat(world.json(SpiderKeys.pool("sm")).at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(world.json(SpiderKeys.subnet("s1")).at("/metadata/uid"));
    }

    @Test
    @DisplayName("SR-09, C85: the pool of an application, and what the subnet notes of it")
    void sr09PoolOfAnApplication() {
        world.subnet("s1", S1);
        world.pool("sm", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.108-10.20.168.110\"]}");
        world.tend("s1");

        world.claim(claim("s1", "web", WEB_UID, 3));

        checkLike("SR-09", "spidersubnets", "s1");
        checkLike("SR-09", "spiderippools", AUTO);
    }

    @Test
    @DisplayName("C86: growing keeps what else the pool says")
    void c86GrowingPool() {
        world.subnet("s1", S1);
        world.claim(claim("s1", "web", WEB_UID, 3));
        world.occupy(AUTO, "10.20.168.101");

        world.claim(claim("s1", "web", WEB_UID, 4));

        var pool = world.json(SpiderKeys.pool(AUTO));
        assertThat(pool.at("/spec/ips/0").asText()).isEqualTo("10.20.168.101-10.20.168.104");
        assertThat(pool.at("/status/totalIPCount").toString()).isEqualTo("4");
        assertThat(pool.at("/status/allocatedIPs").asText()).contains("ns1/a");
        assertThat(world.json(SpiderKeys.subnet("s1"))
                        .at("/status/allocatedIPCount")
                        .toString())
                .isEqualTo("4");
    }

    @Test
    @DisplayName("C23: addresses that the subnet does not have are refused")
    void c23AddressesOutsideTheSubnet() {
        world.subnet("s", S1);

        assertThat(refusal(world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.111\"]}")))
                .contains("spec.ips: Forbidden: add some IP ranges [10.20.168.111] that are not contained in controller"
                        + " Subnet s");
    }

    @Test
    void poolIsNoSubnetsWhereSubnetsAreOff() {
        world.subnet("s", S1);
        var on = given(SpiderKinds.POOL, "p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.111\"]}");

        world.apply(new Given(on.kind(), on.json(), on.uid(), on.now(), on.families(), SubnetUse.OFF));

        assertThat(world.json(SpiderKeys.pool("p"))
                        .at("/metadata/ownerReferences")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void explicitEmptyListOfRoutesIsNotInherited() {
        world.subnet("s", S1);

        world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101\"],\"routes\":[]}");
        world.tend("s");

        assertThat(world.json(SpiderKeys.pool("p")).at("/spec/routes").size()).isZero();
        assertThat(world.json(SpiderKeys.pool("p")).at("/spec/gateway").asText())
                .isEqualTo("10.20.0.1");
    }

    @Test
    @DisplayName("C24: pools that were there before are adopted, if the subnet has their addresses")
    void c24PoolsAreAdopted() {
        world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.1.1-10.20.1.5\"]}");

        assertThat(refusal(world.subnet("s", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.1.1-10.20.1.4\"]}")))
                .contains("SpiderIPPool 'p' owns some IP addresses that SpiderSubnet 's' can't control");
        assertThat(world.subnet("s", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.1.1-10.20.1.10\"]}"))
                .isEqualTo(new ObjectOutcome.Created());
        world.tend("s");
        assertThat(world.json(SpiderKeys.pool("p"))
                        .at("/metadata/labels/ipam.spidernet.io~1owner-spider-subnet")
                        .asText())
                .isEqualTo("s");
        assertThat(world.json(SpiderKeys.subnet("s"))
                        .at("/status/controlledIPPools")
                        .asText())
                .isEqualTo("{\"p\":{\"ips\":[\"10.20.1.1-10.20.1.5\"]}}");
    }

    @Test
    @DisplayName("C25: addresses that a pool has do not leave the subnet")
    void c25PreAllocatedAddressesStay() {
        world.subnet("s1", S1);
        world.claim(claim("s1", "web", WEB_UID, 3));

        var refusal = refusal(world.subnet(
                "s1", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101\",\"10.20.168.103-10.20.168.110\"]}"));

        // The pool itself has them too, which is found first.
        assertThat(refusal).contains("SpiderIPPool '" + AUTO + "' owns some IP addresses");
        world.put(SpiderKeys.pool(AUTO), emptied(world.json(SpiderKeys.pool(AUTO))));
        assertThat(refusal(world.subnet(
                        "s1",
                        "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101\",\"10.20.168.103-10.20.168.110\"]}")))
                .contains("spec.ips: Forbidden: remove some IP ranges [10.20.168.102] that is being used by IPPool "
                        + AUTO);
    }

    private static ObjectNode emptied(ObjectNode pool) {
        Trees.child(pool, "spec").putArray("ips");
        return pool;
    }

    @Test
    @DisplayName("C26: an entry of a pool that does not exist goes with the next look")
    void c26UnknownEntryGoes() {
        world.subnet("s1", S1);
        var json = world.json(SpiderKeys.subnet("s1"));
        Trees.child(json, "status").put("controlledIPPools", "{\"ghost\":{\"ips\":[\"10.20.168.101\"]}}");
        world.put(SpiderKeys.subnet("s1"), json);

        world.tend("s1");

        assertThat(world.json(SpiderKeys.subnet("s1")).path("status").toString())
                .isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":10}");
    }

    @Test
    @DisplayName("C94: the addresses of an application's pool are the subnet's to change")
    void c94UserEditsThePoolOfAnApplication() {
        world.subnet("s1", S1);
        world.claim(claim("s1", "web", WEB_UID, 3));
        var json = world.json(SpiderKeys.pool(AUTO));
        Trees.child(json, "spec").putArray("ips").add("10.20.168.101-10.20.168.104");

        var outcome = world.apply(
                new Given(SpiderKinds.POOL, json, UUID.randomUUID(), SubnetFixture.NOW, SubnetFixture.BOTH));

        assertThat(refusal(outcome))
                .contains("spec.ips: Forbidden: it's illegal to update AutoPool.Spec.IPs that are different from"
                        + " corresponding SpiderSubnet.Status.ControlledIPPools");
    }

    @Test
    void podAffinityOfAnApplicationsPoolIsItsApplication() {
        world.subnet("s1", S1);
        world.claim(claim("s1", "web", WEB_UID, 3));
        var json = world.json(SpiderKeys.pool(AUTO));
        ((ObjectNode) json.at("/spec/podAffinity/matchLabels")).put("app", "web");

        var outcome = world.apply(
                new Given(SpiderKinds.POOL, json, UUID.randomUUID(), SubnetFixture.NOW, SubnetFixture.BOTH));

        assertThat(refusal(outcome)).contains("spec.podAffinity", "auto-created IPPool");
    }

    @Test
    void addressesThatArePromisedToAnApplicationAreNotForOtherPools() {
        world.subnet("s1", S1);
        world.claim(claim("s1", "web", WEB_UID, 3));
        world.put(SpiderKeys.pool(AUTO), emptied(world.json(SpiderKeys.pool(AUTO))));

        assertThat(refusal(world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.103\"]}")))
                .contains("IP ranges [10.20.168.103] are pre-allocated to IPPool " + AUTO + " by Subnet s1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "subnet":"10.20.0.5/16"                                     | unformatted subnet 10.20.0.5/16, please change it to 10.20.0.0/16
        "subnet":"10.0.0.0/8"                                       | overlap with Subnet s1 which 'spec.subnet' is 10.20.0.0/16
        "subnet":"10.20.0.0/16"                                     | overlap with Subnet s1 which 'spec.subnet' is 10.20.0.0/16
        "subnet":"10.30.1.0/24"                                     | overlap with SpiderIPPool 'p' resource 'spec.subnet' 10.30.0.0/16
        "subnet":"10.40.0.0/16","ips":["10.41.0.1"]                 | spec.ips[0]: Invalid value: "10.41.0.1": not pertains to the 'spec.subnet' 10.40.0.0/16 of IPPool
        "subnet":"10.40.0.0/16","excludeIPs":["10.40.0.9-10.40.0.1"] | spec.excludeIPs[0]: Invalid value: "10.40.0.9-10.40.0.1": invalid IP range format in IPv4
        "subnet":"10.40.0.0/16","gateway":"10.41.0.1"               | spec.gateway: Invalid value: "10.41.0.1": not pertains to
        "subnet":"10.40.0.0/16","ips":["10.40.0.1"],"gateway":"10.40.0.1" | conflicts with 'spec.gateway' 10.40.0.1
        "subnet":"10.40.0.0/16","routes":[{"dst":"0.0.0.0/0","gw":"10.40.0.1"}] | please specify 'spec.gateway' to configure the default route
        "subnet":"10.40.0.0/33"                                     | is not generated correctly, 'spec.subnet' may be invalid
        """)
    void subnetThatBreaksARuleIsRefused(String spec, String words) {
        world.subnet("s1", S1);
        world.pool("p", "{\"subnet\":\"10.30.0.0/16\"}");

        assertThat(refusal(world.subnet("s2", "{" + spec + "}"))).contains(words);
    }

    @Test
    void subnetAndFamilyStay() {
        world.subnet("s1", S1);

        assertThat(refusal(world.subnet("s1", "{\"subnet\":\"10.21.0.0/16\"}")))
                .contains("spec.subnet: Forbidden: is not changeable");
    }

    @Test
    void rangesAreWrittenAsTheFewest() {
        world.subnet("s2", "{\"subnet\":\"fd00::/64\",\"ips\":[\"fd00::5\",\"fd00::1-fd00::4\"]}");

        var json = world.json(SpiderKeys.subnet("s2"));
        assertThat(json.at("/spec/ips").toString()).isEqualTo("[\"fd00::1-fd00::5\"]");
        assertThat(json.at("/spec/ipVersion").toString()).isEqualTo("6");
        assertThat(json.at("/metadata/labels/ipam.spidernet.io~1subnet-cidr").asText())
                .isEqualTo("fd00---64");
    }

    @Test
    void subnetIsDeletedAfterItsPools() {
        world.subnet("s1", S1);
        world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101\"]}");
        world.pool("q", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.102\"]}");
        world.occupy("p", "10.20.168.101");
        world.tend("s1");

        assertThat(world.remove(SpiderKinds.SUBNET, "s1")).isEqualTo(new ObjectOutcome.Terminating(2));
        assertThat(refusal(world.subnet("s1", S1))).contains("is forbidden: cannot update a terminaing Subnet");
        world.tend("s1");

        assertThat(world.store.get(SpiderKeys.pool("q"))).isEmpty();
        assertThat(world.json(SpiderKeys.pool("p"))
                        .at("/metadata/deletionTimestamp")
                        .isTextual())
                .isTrue();
        assertThat(world.json(SpiderKeys.subnet("s1"))
                        .at("/status/controlledIPPools")
                        .asText())
                .isEqualTo("{\"p\":{\"ips\":[\"10.20.168.101\"]}}");
        var commit = world.store.commit(List.of(new io.cadastre.datastore.Write.Delete(
                SpiderKeys.pool("p"),
                world.store.get(SpiderKeys.pool("p")).orElseThrow().revision())));
        assertThat(commit).isInstanceOf(io.cadastre.datastore.Commit.Done.class);
        world.tend("s1");
        assertThat(world.store.get(SpiderKeys.subnet("s1"))).isEmpty();
    }

    @Test
    void unusedSubnetIsDeletedAtOnce() {
        world.subnet("s1", S1);

        assertThat(world.remove(SpiderKinds.SUBNET, "s1")).isEqualTo(new ObjectOutcome.Deleted());
        assertThat(world.store.get(SpiderKeys.subnet("s1"))).isEmpty();
    }

    @Test
    void promiseIsKeptWhileTheApplicationIsThere() {
        world.subnet("s1", S1);
        var claim = claim("s1", "web", WEB_UID, 3);
        var key = WorkloadKind.DEPLOYMENT.key(claim.application());
        var deployment = Json.emptyObject();
        deployment.putObject("metadata").put("uid", WEB_UID);
        world.put(key, deployment);
        assertThat(world.claim(claim)).isInstanceOf(SubnetOutcome.Ready.class);
        world.store.commit(List.of(new io.cadastre.datastore.Write.Delete(
                SpiderKeys.pool(AUTO),
                world.store.get(SpiderKeys.pool(AUTO)).orElseThrow().revision())));

        world.tend("s1");
        assertThat(world.json(SpiderKeys.subnet("s1"))
                        .at("/status/allocatedIPCount")
                        .toString())
                .isEqualTo("3");

        world.store.commit(List.of(new io.cadastre.datastore.Write.Delete(
                key, world.store.get(key).orElseThrow().revision())));
        world.tend("s1");
        assertThat(world.json(SpiderKeys.subnet("s1"))
                        .at("/status/allocatedIPCount")
                        .toString())
                .isEqualTo("0");
    }

    @Test
    @DisplayName("SG-14, SG-15: the text of what pools have")
    void sg14TextOfControlledPools() {
        for (var golden : SpiderpoolGolden.read(SpiderpoolGolden.SUBNET).path("controlledIPPoolsText")) {
            var form = ControlledPoolsForm.read("s", golden.path("text").asText(), io.cadastre.address.Family.IPV4);

            assertThat(form.text(form.entries())).isEqualTo(golden.path("text").asText());
            assertThat(new ControlledPoolsForm(Json.emptyObject(), new java.util.TreeMap<>()).text(form.entries()))
                    .isEqualTo(golden.path("text").asText());
            assertThat(form.entries()).hasSize(golden.path("pools").size());
        }
    }

    @Test
    void subnetWhoseStatusCannotBeReadGivesNothing() {
        world.subnet("s1", S1);
        var json = world.json(SpiderKeys.subnet("s1"));
        Trees.child(json, "status").put("controlledIPPools", "{broken");
        world.put(SpiderKeys.subnet("s1"), json);

        var outcome = world.claim(claim("s1", "web", WEB_UID, 3));

        assertThat(outcome.sentence()).contains("SpiderSubnet s1 cannot be used", "status.controlledIPPools");
    }
}
