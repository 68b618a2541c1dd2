package io.cadastre.wire.spiderpool.objects;

import static io.cadastre.wire.spiderpool.objects.SubnetFixture.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
