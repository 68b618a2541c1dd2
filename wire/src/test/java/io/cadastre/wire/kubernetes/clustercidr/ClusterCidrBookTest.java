package io.cadastre.wire.kubernetes.clustercidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.registry.Page;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrObjects.Given;
import io.cadastre.wire.survey.StoreRanges;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterCidrBookTest {

    private static final Instant NOW = Instant.parse("2026-11-18T20:42:33Z");
    private static final UUID UID = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final ClusterCidrGroup GROUP = ClusterCidrGroup.CUSTOM;

    private final Datastore store = new MemoryDatastore();

    private Page<?, ?> creation(String name, String ipv4) {
        var json = "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"perNodeHostBits\":8,\"ipv4\":\"%s\"}}"
                .formatted(name, ipv4);
        var given = new Given(GROUP, Json.readObject("given", Bytes.ofUtf8(json)), UID, NOW);
        var page = new ClusterCidrBook(store, GROUP, StoreRanges::besideNodeCidr).open();
        return page.with(ClusterCidrObjects.create(page.view(), given).changes());
    }

    @Test
    void clusterCidrsMayOverlapEachOther() {
        assertThat(creation("a", "10.0.0.0/16").save()).isInstanceOf(Commit.Done.class);
        assertThat(creation("b", "10.0.0.0/20").save()).isInstanceOf(Commit.Done.class);

        assertThat(store.listAll(GROUP.keys()).documents()).hasSize(2);
    }

    @Test
    void ofTwoThatCreateOneNameTheSecondIsDecidedAgain() {
        var first = creation("a", "10.0.0.0/16");
        var second = creation("a", "10.1.0.0/16");

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isInstanceOf(Commit.Conflict.class);
    }

    @Test
    void aClusterCidrKeepsItsRangeFromOtherDialectsThoughNoNodeHasAnythingOfIt() {
        creation("a", "10.0.0.0/16").save();

        var beside = StoreRanges.besideCalico(store);

        assertThat(beside).extracting(holding -> holding.holder()).isEqualTo(List.of("ClusterCIDR(a)"));
        assertThat(StoreRanges.fetch(store).nodeCidr()).isEqualTo(beside);
    }
}
