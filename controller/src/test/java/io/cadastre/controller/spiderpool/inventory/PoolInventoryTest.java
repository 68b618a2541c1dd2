package io.cadastre.controller.spiderpool.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PoolInventoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryDatastore store = new MemoryDatastore();

    private void put(String key, String json) {
        assertThat(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(json)))))
                .isInstanceOf(Commit.Done.class);
    }

    private PoolInventory inventory(Gate each, Duration period) {
        var context = new ControllerContext(
                store,
                new Ledger(new MemoryJournal()),
                () -> Instant.EPOCH,
                System::nanoTime,
                new SplittableRandom(1),
                Thread::sleep,
                sentence -> {});
        return new PoolInventory(context, new InventorySettings(Gate.OPEN, each, period));
    }

    private static List<String> lines(PoolInventory inventory) {
        return Metric.text(inventory.figures())
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private void elect(PoolInventory inventory) {
        inventory.elected(new FencedDatastore(store, () -> true, "a", 0));
    }

    @Test
    void leaderCountsPoolsAndSubnetsAndTheirAddresses() {
        put(SpiderKeys.pool("a"), "{\"status\":{\"totalIPCount\":10,\"allocatedIPCount\":3}}");
        put(SpiderKeys.pool("b"), "{\"status\":{}}");
        put(SpiderKeys.SUBNETS + "s", """
            {"status":{"totalIPCount":20,"allocatedIPCount":4,"controlledIPPools":"{\\"a\\":{\\"ips\\":[]}}"}}
            """);

        try (var inventory = inventory(Gate.OPEN, Duration.ofHours(1))) {
            inventory.start();
            assertThat(inventory.figures()).isEmpty();
            elect(inventory);
            await().atMost(PATIENCE).until(() -> !inventory.figures().isEmpty());

            assertThat(lines(inventory))
                    .containsExactly(
                            "spiderpool_total_ippool_counts 2",
                            "spiderpool_debug_ippool_total_ip_counts{SpiderIPPool=\"a\"} 10",
                            "spiderpool_debug_ippool_total_ip_counts{SpiderIPPool=\"b\"} 0",
                            "spiderpool_debug_ippool_available_ip_counts{SpiderIPPool=\"a\"} 7",
                            "spiderpool_debug_ippool_available_ip_counts{SpiderIPPool=\"b\"} 0",
                            "spiderpool_total_subnet_counts 1",
                            "spiderpool_debug_subnet_ippool_counts{SpiderSubnet=\"s\"} 1",
                            "spiderpool_debug_subnet_total_ip_counts{SpiderSubnet=\"s\"} 20",
                            "spiderpool_debug_subnet_available_ip_counts{SpiderSubnet=\"s\"} 16");
            inventory.dismissed();
            assertThat(inventory.figures()).isEmpty();
        }
    }

    @Test
    void totalsAloneAreShownWithoutDebugMetricsAndAreCountedAgainAndAgain() {
        try (var inventory = inventory(Gate.CLOSED, Duration.ofMillis(20))) {
            inventory.start();
            elect(inventory);
            await().atMost(PATIENCE)
                    .until(() -> lines(inventory)
                            .equals(List.of("spiderpool_total_ippool_counts 0", "spiderpool_total_subnet_counts 0")));

            put(SpiderKeys.pool("a"), "{\"status\":{\"totalIPCount\":\"many\"}}");

            await().atMost(PATIENCE)
                    .until(() -> lines(inventory)
                            .equals(List.of("spiderpool_total_ippool_counts 1", "spiderpool_total_subnet_counts 0")));
        }
    }

    @Test
    void variablesOfSpiderpoolSetIt() {
        var environment = Map.of(
                "SPIDERPOOL_ENABLED_METRIC", "true",
                "SPIDERPOOL_ENABLED_DEBUG_METRIC", "1",
                "SPIDERPOOL_METRIC_RENEW_PERIOD", "7");

        assertThat(InventorySettings.of(SpiderpoolSettings.of(environment), environment))
                .isEqualTo(new InventorySettings(Gate.OPEN, Gate.OPEN, Duration.ofSeconds(7)));
        assertThat(InventorySettings.of(SpiderpoolSettings.of(Map.of()), Map.of()))
                .isEqualTo(new InventorySettings(Gate.CLOSED, Gate.CLOSED, Duration.ofMinutes(2)));
        var wrong = Map.of("SPIDERPOOL_METRIC_RENEW_PERIOD", "soon");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InventorySettings.of(SpiderpoolSettings.of(Map.of()), wrong))
                .withMessageContaining("SPIDERPOOL_METRIC_RENEW_PERIOD is 'soon'");
    }
}
