package io.cadastre.wire.survey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.registry.Page;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrBook;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrObjects;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Two dialects that take one range at the same moment.
class RangeRivalsTest {

    private static final Instant NOW = Instant.parse("2026-11-15T08:20:11Z");
    private static final UUID UID = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private final Datastore store = new MemoryDatastore();

    /// A page on which a pool of Calico is created.
    private Page<?, ?> pool() {
        var given = new Resources.Given(CalicoKinds.POOL, named("{\"spec\":{\"cidr\":\"10.244.0.0/16\"}}"), UID, NOW);
        var page = new ResourceBook(store, StoreRanges::besideCalico).open();
        for (int reading = 0; reading < 4; reading++) {
            try {
                return page.with(Resources.apply(page.view(), given).changes());
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
        return page.with(Resources.apply(page.view(), given).changes());
    }

    private Page<?, ?> spiderPool() {
        var given = new SpiderObjects.Given(
                SpiderKinds.POOL,
                named("{\"spec\":{\"subnet\":\"10.244.0.0/24\",\"ips\":[\"10.244.0.9\"]}}"),
                UID,
                NOW,
                List.of(Family.IPV4));
        var page = new ObjectBook(store, StoreRanges::besideSpiderpool).open();
        return page.with(SpiderObjects.apply(page.view(), given).changes());
    }

    private Page<?, ?> node() {
        var config = new NodeCidrConfig(List.of(new Subdivision(Prefix.parse("10.244.0.0/16"), 24)), List.of());
        var page = new NodeBook(store, config, InstantSource.fixed(NOW), StoreRanges::besideNodeCidr).open();
        return page.with(NodeCidrEngine.add(page.view(), new AddRequest("n1")).changes());
    }

    private Page<?, ?> clusterCidr() {
        var group = ClusterCidrGroup.CUSTOM;
        var given = new ClusterCidrObjects.Given(
                group, named("{\"spec\":{\"perNodeHostBits\":8,\"ipv4\":\"10.244.0.0/16\"}}"), UID, NOW);
        var page = new ClusterCidrBook(store, group, StoreRanges::besideNodeCidr).open();
        return page.with(ClusterCidrObjects.create(page.view(), given).changes());
    }

    private static ObjectNode named(String json) {
        var named = Json.readObject("given", Bytes.ofUtf8(json));
        named.putObject("metadata").put("name", "p");
        return named;
    }

    @Test
    void ofAPoolAndASpiderPoolTheSecondIsDecidedAgain() {
        var first = pool();
        var second = spiderPool();

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(store.listAll(SpiderKeys.POOLS).documents()).isEmpty();
    }

    @Test
    void ofANodeAndAPoolTheSecondIsDecidedAgain() {
        var first = node();
        var second = pool();

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(store.listAll(CalicoKeys.POOLS).documents()).isEmpty();
    }

    @Test
    void ofAClusterCidrAndAPoolTheSecondIsDecidedAgain() {
        var first = clusterCidr();
        var second = pool();

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(store.listAll(CalicoKeys.POOLS).documents()).isEmpty();
    }

    @Test
    void ofAPoolAndAClusterCidrTheSecondIsDecidedAgain() {
        var first = pool();
        var second = clusterCidr();

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(store.listAll(ClusterCidrGroup.CUSTOM.keys()).documents()).isEmpty();
    }

    @Test
    void ofASpiderPoolAndANodeTheSecondIsDecidedAgain() {
        var first = spiderPool();
        var second = node();

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(NodeBook.fetchNodes(store)).isEmpty();
    }
}
