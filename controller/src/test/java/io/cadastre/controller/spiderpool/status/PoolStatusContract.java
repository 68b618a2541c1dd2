package io.cadastre.controller.spiderpool.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every store shows of the loop that counts pools and lets them go.
@Timeout(180)
abstract class PoolStatusContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Longer than a test: what happens, happens because of a change.
    private static final Duration NEVER = Duration.ofHours(1);

    private static final String USED = "{\"172.18.40.40\":{\"pod\":\"default/a\",\"podUid\":\"u1\"}}";

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final AtomicBoolean leads = new AtomicBoolean(true);
    private @Nullable Datastore opened;
    private @Nullable PoolStatus loop;

    abstract Datastore emptyStore();

    @BeforeEach
    void open() {
        opened = emptyStore();
    }

    @AfterEach
    void stop() {
        if (loop != null) {
            loop.dismissed();
            loop.close();
        }
    }

    private Datastore store() {
        return Objects.requireNonNull(opened);
    }

    private PoolStatus start(Datastore seen, Duration resync) {
        var context = new ControllerContext(
                seen,
                new Ledger(new MemoryJournal()),
                InstantSource.system(),
                System::nanoTime,
                new SplittableRandom(1),
                Thread::sleep,
                reports::add);
        var started = new PoolStatus(context, Duration.ofMillis(50), resync);
        loop = started;
        started.start();
        started.elected(new FencedDatastore(seen, leads::get, "test", 0));
        return started;
    }

    // ---- fixtures ----

    private static String key(String name) {
        return SpiderKeys.pool(name);
    }

    /// A pool as a webhook completes it, which no controller has counted.
    private static ObjectNode pool(String name, String ips) {
        return Json.readObject(name, Bytes.ofUtf8("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool",
             "metadata":{"name":"%s","finalizers":["spiderpool.spidernet.io"]},
             "spec":{"subnet":"172.18.40.0/24","ipVersion":4,"ips":[%s]}}
            """.formatted(name, ips)));
    }

    private void put(String name, ObjectNode json) {
        var former = store().get(key(name));
        var write = former.<Write>map(document -> new Write.Update(key(name), Json.write(json), document.revision()))
                .orElseGet(() -> new Write.Create(key(name), Json.write(json)));
        assertThat(store().commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private String status(String name) {
        return store().get(key(name))
                .map(document ->
                        Json.readObject(name, document.value()).path("status").toString())
                .orElse("gone");
    }

    private void awaitStatus(String name, String status) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(status(name)).isEqualTo(status));
    }

    private static ObjectNode terminating(ObjectNode pool) {
        ((ObjectNode) pool.path("metadata")).put("deletionTimestamp", "2026-11-15T08:20:11Z");
        return pool;
    }

    // ---- tests ----

    @Test
    @DisplayName("C04: a pool that was there and one that comes are counted")
    void poolsAreCounted() {
        put("before", pool("before", "\"172.18.40.1-172.18.40.30\""));

        start(store(), NEVER);
        awaitStatus("before", "{\"allocatedIPCount\":0,\"totalIPCount\":30}");
        var after = pool("after", "\"172.18.40.101-172.18.40.130\"");
        ((ObjectNode) after.path("spec")).putArray("excludeIPs").add("172.18.40.101-172.18.40.102");
        put("after", after);

        awaitStatus("after", "{\"allocatedIPCount\":0,\"totalIPCount\":28}");
    }

    @Test
    void totalFollowsTheRangesAndRecordsStay() {
        var pool = pool("p", "\"172.18.40.40-172.18.40.44\"");
        pool.putObject("status")
                .put("allocatedIPs", USED)
                .put("allocatedIPCount", 1)
                .put("totalIPCount", 5);
        put("p", pool);
        start(store(), NEVER);

        ((ObjectNode) pool.path("spec")).putArray("ips").add("172.18.40.40-172.18.40.49");
        put("p", pool);

        await().atMost(PATIENCE).until(() -> status("p").contains("\"totalIPCount\":10"));
        assertThat(status("p")).contains("\"allocatedIPCount\":1", "172.18.40.40");
    }

    @Test
    @DisplayName("C06: a count that is too large for its field is the largest")
    void countThatIsTooLargeIsTheLargest() {
        var pool = pool("p6", "\"fd12:3456:789a:baba::1-fd12:3456:789a:ffff:ffff:ffff:ffff:ffff\"");
        ((ObjectNode) pool.path("spec")).put("subnet", "fd12:3456:789a::/48").put("ipVersion", 6);
        put("p6", pool);

        start(store(), NEVER);

        awaitStatus("p6", "{\"allocatedIPCount\":0,\"totalIPCount\":9223372036854775807}");
    }

    @Test
    @DisplayName("C18: a deleted pool goes with its last record, not before")
    void deletedPoolGoesWithItsLastRecord() {
        var pool = terminating(pool("p", "\"172.18.40.40-172.18.40.44\""));
        pool.putObject("status")
                .put("allocatedIPs", USED)
                .put("allocatedIPCount", 1)
                .put("totalIPCount", 5);
        put("p", pool);
        put("unused", terminating(pool("unused", "\"172.18.40.50\"")));
        start(store(), NEVER);
        await().atMost(PATIENCE).until(() -> status("unused").equals("gone"));
        assertThat(status("p")).contains("172.18.40.40");

        ((ObjectNode) pool.path("status")).put("allocatedIPCount", 0).remove("allocatedIPs");
        put("p", pool);

        await().atMost(PATIENCE).until(() -> status("p").equals("gone"));
        assertThat(reports).anyMatch(report -> report.startsWith("let pool p go"));
    }

    @Test
    void poolThatOnlyAnotherFinalizerKeepsIsLeftAlone() {
        var pool = terminating(pool("foreign", "\"172.18.40.50\""));
        ((ObjectNode) pool.path("metadata")).putArray("finalizers").add("example.com/other");
        put("foreign", pool);
        put("p", pool("p", "\"172.18.40.40\""));

        start(store(), NEVER);

        awaitStatus("p", "{\"allocatedIPCount\":0,\"totalIPCount\":1}");
        assertThat(status("foreign")).isEmpty();
    }

    @Test
    void conflictIsTriedAgainUntilItIsSettled() {
        var conflicts = new AtomicInteger(12);
        put("p", pool("p", "\"172.18.40.40\""));
        start(new ContestedStore(store(), conflicts), NEVER);

        awaitStatus("p", "{\"allocatedIPCount\":0,\"totalIPCount\":1}");
        assertThat(conflicts.get()).isNegative();
    }

    @Test
    void damagedPoolIsReportedOnceAndHindersNoOther() {
        var damaged = pool("damaged", "");
        ((ObjectNode) damaged.path("spec")).put("subnet", "nonsense");
        put("damaged", damaged);
        put("p", pool("p", "\"172.18.40.40\""));

        start(store(), Duration.ofMillis(20));

        awaitStatus("p", "{\"allocatedIPCount\":0,\"totalIPCount\":1}");
        await().atMost(PATIENCE)
                .until(() -> reports.stream().anyMatch(report -> report.contains("status of pool damaged")));
        put("next", pool("next", "\"172.18.40.41\""));
        awaitStatus("next", "{\"allocatedIPCount\":0,\"totalIPCount\":1}");
        assertThat(reports.stream().filter(report -> report.contains("damaged")).toList())
                .hasSize(1);
    }

    @Test
    @DisplayName("C121: a process that does not lead writes nothing, and the next leader goes on")
    void processThatDoesNotLeadWritesNothing() {
        var status = start(store(), NEVER);
        put("first", pool("first", "\"172.18.40.40\""));
        awaitStatus("first", "{\"allocatedIPCount\":0,\"totalIPCount\":1}");
        leads.set(false);
        status.dismissed();
        put("second", pool("second", "\"172.18.40.41\""));
        assertThat(status.figures()).isEmpty();
        var refused = new AtomicInteger();
        status.elected(new FencedDatastore(
                store(),
                () -> {
                    refused.incrementAndGet();
                    return false;
                },
                "test",
                0));
        await().atMost(PATIENCE).until(() -> refused.get() > 0);
        status.dismissed();
        assertThat(status("second")).isEmpty();

        leads.set(true);
        status.elected(new FencedDatastore(store(), leads::get, "test", 0));

        awaitStatus("second", "{\"allocatedIPCount\":0,\"totalIPCount\":1}");
    }

    /// Another writer is always first, for a while.
    private record ContestedStore(Datastore store, AtomicInteger conflicts) implements ForwardingDatastore {
        @Override
        public Commit commit(List<Write> writes) {
            return conflicts.getAndDecrement() > 0 ? new Commit.Conflict(0, Commit.Kind.STALE) : store.commit(writes);
        }
    }
}
