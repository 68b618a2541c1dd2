package io.cadastre.verification.simulation.pool;

import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Decision;
import io.cadastre.verification.simulation.runtime.DirectStore;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;

/// A user who makes pools larger and smaller, and deletes them and makes them anew.
final class PoolUser {

    private static final long REST_MILLISECONDS_MAX = 15_000;
    private static final List<String> POOLS = List.of("a", "b", "c");

    private final Simulation stage;
    private final Datastore store;
    private final int addresses;
    private long identities;

    PoolUser(Simulation stage, int addresses) {
        this.stage = stage;
        this.store = new DirectStore(stage.network(), "user");
        this.addresses = addresses;
    }

    /// Makes the pools.
    void begin() {
        POOLS.forEach(pool -> put(pool, addresses, ""));
    }

    Runnable script(int edits, SplittableRandom choices) {
        return () -> {
            for (int edit = 0; edit < edits; edit++) {
                stage.rest(choices, REST_MILLISECONDS_MAX);
                var pool = POOLS.get(choices.nextInt(POOLS.size()));
                var outcome = choices.nextInt(4) == 0
                        ? remove(pool)
                        : put(
                                pool,
                                choices.nextInt(1, 2 * addresses),
                                choices.nextInt(3) == 0 ? "\"%s\"".formatted(address(pool, 1)) : "");
                stage.history().request("user", "edits pool %s: %s".formatted(pool, outcome));
            }
        };
    }

    private static String address(String pool, int number) {
        return pool.equals("c")
                ? "fd00::%x".formatted(number)
                : "10.%d.0.%d".formatted(POOLS.indexOf(pool) + 1, number);
    }

    private ObjectOutcome put(String pool, int count, String excluded) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", pool);
        var subnet = pool.equals("c") ? "fd00::/64" : "10.%d.0.0/24".formatted(POOLS.indexOf(pool) + 1);
        json.set(
                "spec",
                Json.readObject(
                        pool,
                        Bytes.ofUtf8("{\"subnet\":\"%s\",\"ips\":[\"%s-%s\"],\"excludeIPs\":[%s]}"
                                .formatted(subnet, address(pool, 1), address(pool, count), excluded))));
        var given = new Given(
                SpiderKinds.POOL,
                json,
                new UUID(0, ++identities),
                stage.scheduler().instant(),
                List.of(Family.IPV4, Family.IPV6));
        return enact(view -> SpiderObjects.apply(view, given));
    }

    private ObjectOutcome remove(String pool) {
        return enact(view -> SpiderObjects.remove(
                view, SpiderKinds.POOL, pool, stage.scheduler().instant()));
    }

    /// Nothing happens between the reading and the writing, so that there is no conflict.
    private ObjectOutcome enact(Function<ObjectView, Decision<DocumentChange, ObjectOutcome>> law) {
        var page = new ObjectBook(store).open();
        var decision = law.apply(page.view());
        page.with(decision.changes()).save();
        return decision.outcome();
    }
}
