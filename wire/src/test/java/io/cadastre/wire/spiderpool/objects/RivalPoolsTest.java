package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.pool.select.PoolRival;
import io.cadastre.engine.pool.select.PoolRival.Precedence;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Which pools have addresses of another, and how often all pools are read for that.
class RivalPoolsTest {

    private static final String EARLY = "2026-11-15T08:00:00Z";
    private static final String LATE = "2026-11-15T08:00:01Z";
    private static final Instant NOW = Instant.parse("2026-11-15T09:00:00Z");

    private final MemoryDatastore store = new MemoryDatastore();
    private final AtomicInteger lists = new AtomicInteger();
    private final RivalPools rivals = new RivalPools();

    /// Counts the lists.
    private record CountedStore(Datastore store, AtomicInteger lists) implements ForwardingDatastore {
        @Override
        public Listing list(String prefix, int limit) {
            lists.incrementAndGet();
            return store.list(prefix, limit);
        }
    }

    private void put(String name, String created, String subnet, String ips) {
        var key = SpiderKeys.pool(name);
        var value = Bytes.ofUtf8("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool",
             "metadata":{"name":"%s","creationTimestamp":"%s"},
             "spec":{"subnet":"%s","ips":["%s"]}}
            """.formatted(name, created, subnet, ips));
        var write = store.get(key)
                .<Write>map(document -> new Write.Update(key, value, document.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    /// Long enough after the first look that all processes know the pools.
    private List<PoolRival> settledRivals(String name) {
        rivals(name, NOW);
        return rivals(name, NOW.plusSeconds(121));
    }

    private List<PoolRival> rivals(String name, Instant now) {
        return rivals.of(name, PoolProcess.pool(store, name), new CountedStore(store, lists), now);
    }

    @Test
    void earlierPoolIsFirstAndOfTwoThatCameTogetherTheOneWithTheLesserName() {
        put("z", EARLY, "10.6.0.0/24", "10.6.0.1-10.6.0.9");
        put("b", LATE, "10.6.0.0/16", "10.6.0.9-10.6.0.20");
        put("a", LATE, "10.6.0.0/24", "10.6.0.20-10.6.0.30");
        put("elsewhere", EARLY, "10.6.0.0/24", "10.6.0.40");
        put("damaged", EARLY, "nonsense", "10.6.0.9");

        assertThat(settledRivals("z")).containsExactly(new PoolRival("b", Precedence.RIVAL_LAST));
        assertThat(settledRivals("b"))
                .containsExactly(
                        new PoolRival("a", Precedence.RIVAL_FIRST), new PoolRival("z", Precedence.RIVAL_FIRST));
        assertThat(settledRivals("a")).containsExactly(new PoolRival("b", Precedence.RIVAL_LAST));
        assertThat(settledRivals("elsewhere")).isEmpty();
    }

    @Test
    void poolsAreReadOnceInAWhile() {
        put("a", EARLY, "10.6.0.0/24", "10.6.0.1");
        put("b", EARLY, "10.6.0.0/24", "10.6.0.2");

        rivals("a", NOW);
        rivals("b", NOW.plusSeconds(59));
        assertThat(lists).hasValue(1);
        rivals("a", NOW.plusSeconds(60));

        assertThat(lists).hasValue(2);
    }

    @Test
    void poolThatIsNewOrChangedIsComparedAtOnce() {
        put("a", EARLY, "10.6.0.0/24", "10.6.0.1");
        assertThat(rivals("a", NOW)).isEmpty();

        put("new", "2026-11-15T09:00:01Z", "10.6.0.0/24", "10.6.0.1-10.6.0.2");
        assertThat(rivals("new", NOW.plusSeconds(2))).containsExactly(new PoolRival("a", Precedence.RIVAL_FIRST));
        put("c", EARLY, "10.6.0.0/24", "10.6.0.5");
        put("a", EARLY, "10.6.0.0/24", "10.6.0.1-10.6.0.5");

        assertThat(rivals("a", NOW.plusSeconds(3))).extracting(PoolRival::name).containsExactly("c", "new");
    }

    /// Others may give addresses of the younger pool as if it were alone, until they look again.
    @Test
    void enlargedPoolLeavesWhatBothHaveUntilAllProcessesKnowIt() {
        put("a", EARLY, "10.6.0.0/24", "10.6.0.1");
        put("b", LATE, "10.6.0.0/24", "10.6.0.2-10.6.0.3");
        assertThat(rivals("a", NOW)).isEmpty();
        put("a", EARLY, "10.6.0.0/24", "10.6.0.1-10.6.0.2");
        var enlarged = NOW.plusSeconds(10);

        assertThat(rivals("a", enlarged)).containsExactly(new PoolRival("b", Precedence.RIVAL_FIRST));
        assertThat(rivals("a", enlarged.plusSeconds(120))).containsExactly(new PoolRival("b", Precedence.RIVAL_FIRST));
        assertThat(rivals("a", enlarged.plusSeconds(121))).containsExactly(new PoolRival("b", Precedence.RIVAL_LAST));
        assertThat(rivals("b", enlarged.plusSeconds(121))).containsExactly(new PoolRival("a", Precedence.RIVAL_FIRST));
    }

    /// A younger pool is new to every process, so all leave the addresses to the older one at once.
    @Test
    void olderPoolGoesOnWhenAYoungerOneComes() {
        put("a", EARLY, "10.6.0.0/24", "10.6.0.1");
        rivals("a", NOW);
        rivals("a", NOW.plusSeconds(120));

        put("b", "2026-11-15T09:02:01Z", "10.6.0.0/24", "10.6.0.1");

        assertThat(rivals("a", NOW.plusSeconds(181))).containsExactly(new PoolRival("b", Precedence.RIVAL_LAST));
    }

    /// Another pool of the same second may come after the look, and be first by its name.
    @Test
    void poolOfTheseSecondsIsComparedAgain() {
        put("b", "2026-11-15T08:59:58Z", "10.6.0.0/24", "10.6.0.1");
        assertThat(rivals("b", NOW)).isEmpty();
        put("a", "2026-11-15T08:59:58Z", "10.6.0.0/24", "10.6.0.1");

        assertThat(rivals("b", NOW.plusSeconds(1))).containsExactly(new PoolRival("a", Precedence.RIVAL_FIRST));
    }
}
