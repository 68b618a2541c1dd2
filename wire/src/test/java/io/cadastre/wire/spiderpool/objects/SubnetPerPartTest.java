package io.cadastre.wire.spiderpool.objects;

import static io.cadastre.wire.spiderpool.objects.SubnetFixture.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.pool.subnet.SubnetEngine;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.registry.UnsettledException;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Subnets where the status of an object takes a write of its own.
class SubnetPerPartTest {

    private static final String WEB_UID = "ce530a60-02fb-43ee-a355-cc3cfaac9db4";
    private static final String AUTO = "auto4-web-eth0-cc3cf";

    private static final String S1 =
            "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101-10.20.168.110\"],\"gateway\":\"10.20.0.1\"}";

    private final SubnetFixture world = new SubnetFixture(new PerPartStore(new MemoryDatastore()));

    private String status() {
        return world.json(SpiderKeys.subnet("s1")).path("status").toString();
    }

    @Test
    @DisplayName("C24: a subnet is created, counted and adopts pools by writes of one part each")
    void c24SubnetAdoptsPools() {
        world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.110\"]}");

        world.subnet("s1", S1);
        assertThat(status()).isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":10}");
        world.tend("s1");

        assertThat(status())
                .isEqualTo(
                        "{\"allocatedIPCount\":1,\"controlledIPPools\":\"{\\\"p\\\":{\\\"ips\\\":[\\\"10.20.168.110\\\"]}}\",\"totalIPCount\":10}");
        assertThat(world.json(SpiderKeys.pool("p")).at("/spec/gateway").asText())
                .isEqualTo("10.20.0.1");
    }

    @Test
    void subnetThatWasWrittenByAnotherProgramIsLabelledAndCounted() {
        world.subnet("s1", S1);
        var json = world.json(SpiderKeys.subnet("s1"));
        Trees.child(json, "metadata").remove("labels");
        world.put(SpiderKeys.subnet("s1"), json);

        world.tend("s1");

        assertThat(world.json(SpiderKeys.subnet("s1"))
                        .at("/metadata/labels/ipam.spidernet.io~1subnet-cidr")
                        .asText())
                .isEqualTo("10-20-0-0-16");
    }

    @Test
    @DisplayName("C85, C86, C90: the pool of an application is made, grows, shrinks and goes")
    void c85PoolOfAnApplication() {
        world.subnet("s1", S1);

        assertThat(world.claim(claim("s1", "web", WEB_UID, 3))).isInstanceOf(SubnetOutcome.Ready.class);
        assertThat(world.json(SpiderKeys.pool(AUTO)).has("status")).isFalse();
        world.claim(claim("s1", "web", WEB_UID, 4));
        assertThat(world.json(SpiderKeys.pool(AUTO)).at("/spec/ips/0").asText())
                .isEqualTo("10.20.168.101-10.20.168.104");
        world.claim(claim("s1", "web", WEB_UID, 2));
        assertThat(world.json(SpiderKeys.pool(AUTO)).at("/spec/ips/0").asText())
                .isEqualTo("10.20.168.103-10.20.168.104");
        assertThat(status()).contains("\"allocatedIPCount\":2,");
    }

    /// Refuses to change one pool, as an API server does when a webhook refuses it.
    private record RefusingStore(Datastore store, String refused) implements ForwardingDatastore {
        @Override
        public Commit commit(List<Write> writes) {
            if (writes.stream().anyMatch(write -> write.key().equals(refused))) {
                throw new DatastoreException(
                        DatastoreException.Kind.FAILED, "admission webhook denied the request: out of " + refused);
            }
            return store.commit(writes);
        }
    }

    @ParameterizedTest
    @CsvSource({"SpiderSubnet s1, p, q, r", "SpiderSubnet s1, q, p, r", "SpiderSubnet s1, r, p, q"})
    void poolThatMayNotBeAdoptedHoldsUpNeitherOthersNorTheStatus(
            String subnet, String refused, String one, String other) {
        world.pool("p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101\"]}");
        world.pool("q", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.102\"]}");
        world.pool("r", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.103\"]}");
        world.subnet("s1", S1);
        var json = world.json(SpiderKeys.subnet("s1"));
        Trees.child(json, "metadata").remove("labels");
        world.put(SpiderKeys.subnet("s1"), json);

        var refusing = new SubnetFixture(new RefusingStore(world.store, SpiderKeys.pool(refused)));
        var tended = refusing.looks().tend("tend", "s1");

        assertThat(tended.refused()).containsOnlyKeys("pool " + refused);
        assertThat(tended.refused().get("pool " + refused))
                .contains(subnet, "pool " + refused, "admission webhook denied the request");
        assertThat(status())
                .contains("\"allocatedIPCount\":2,", "\"%s\\\"".formatted(one), "\"%s\\\"".formatted(other));
        assertThat(world.json(SpiderKeys.subnet("s1")).at("/metadata/labels").size())
                .isOne();
        world.tend("s1");
        assertThat(status()).contains("\"allocatedIPCount\":3,");
    }

    /// One process stops between the two documents of a claim. Its promise is dropped and given to another application
    /// while the claim is made again.
    @Test
    void repeatedClaimDoesNotCreateItsPoolIfTheSubnetHasChangedMeanwhile() {
        world.subnet("s1", S1);
        var claim = claim("s1", "web", WEB_UID, 3);
        var stopping = new SubnetFixture(new RefusingStore(world.store, SpiderKeys.pool(AUTO)));
        assertThatThrownBy(() -> stopping.claim(claim))
                .isInstanceOf(UnsettledException.class)
                .hasMessageContaining("out of " + SpiderKeys.pool(AUTO));
        assertThat(status()).contains(AUTO);
        var page = new SubnetBook(world.store, InstantSource.fixed(SubnetFixture.NOW), new SplittableRandom(1)).open();
        var repeated = page.with(SubnetEngine.claim(page.view(), claim).changes());

        // The application is gone.
        world.tend("s1");
        world.claim(claim("s1", "shop", "0-bbbbb", 3));

        assertThat(repeated.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(world.store.get(SpiderKeys.pool(AUTO))).isEmpty();
    }

    @Test
    void repeatedClaimGivesTheSubnetARevisionAlsoWhereAServerStoresOnlyWhatDiffers() {
        world.subnet("s1", S1);
        var claim = claim("s1", "web", WEB_UID, 3);
        var stopping = new SubnetFixture(new RefusingStore(world.store, SpiderKeys.pool(AUTO)));
        assertThatThrownBy(() -> stopping.claim(claim)).isInstanceOf(RuntimeException.class);
        var before = status();

        assertThat(world.claim(claim)).isInstanceOf(SubnetOutcome.Ready.class);

        assertThat(status()).isEqualTo(before.replace("}}\",", "}} \","));
        world.claim(claim("s1", "web", WEB_UID, 4));
        assertThat(status()).doesNotContain("}} ");
    }

    @Test
    void subnetThatIsDeletedGoesAfterItsPools() {
        world.subnet("s1", S1);
        world.claim(claim("s1", "web", WEB_UID, 3));
        world.occupy(AUTO, "10.20.168.101");

        assertThat(world.remove(SpiderKinds.SUBNET, "s1")).isEqualTo(new ObjectOutcome.Terminating(3));
        world.tend("s1");
        assertThat(world.json(SpiderKeys.pool(AUTO))
                        .at("/metadata/deletionTimestamp")
                        .isTextual())
                .isTrue();
        assertThat(status()).contains("\"allocatedIPCount\":3,");
        var freed = world.json(SpiderKeys.pool(AUTO));
        Trees.child(freed, "status").remove("allocatedIPs");
        world.put(SpiderKeys.pool(AUTO), freed);
        var commit = world.store.commit(List.of(new Write.Delete(
                SpiderKeys.pool(AUTO),
                world.store.get(SpiderKeys.pool(AUTO)).orElseThrow().revision())));
        assertThat(commit).isInstanceOf(Commit.Done.class);
        world.tend("s1");

        assertThat(world.store.get(SpiderKeys.subnet("s1"))).isEmpty();
    }
}
