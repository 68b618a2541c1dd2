package io.cadastre.wire.calico.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.NotReadException;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Page;
import io.cadastre.registry.Recording;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.scenario.ScenarioContract;
import io.cadastre.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Several processes that create pools at the same moment, in a store that has transactions.
public abstract class PoolRivalScenarios extends ScenarioContract {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    @Test
    void ofTwoOverlappingPoolsThatWereDecidedOnTheSamePoolsOneIsCreated() {
        var first = decided("first", "10.0.0.0/16");
        var second = decided("second", "10.0.5.0/24");

        var commits = List.of(first.save(), second.save());

        assertThat(commits.getFirst()).isInstanceOf(Commit.Done.class);
        assertThat(commits.getLast()).isInstanceOf(Commit.Conflict.class);
        assertThat(pools()).containsExactly("first");
    }

    @Test
    void laterAnnouncementOfAPoolReplacesTheEarlierOne() {
        var created = new Write.Create(CalicoKeys.POOLS + "first", Bytes.ofUtf8("{}"));
        var announcement = new RangeAnnouncement(store());

        var commit = announcement.save(
                List.of(created),
                () -> {
                    decided("second", "10.0.5.0/24").save();
                    return true;
                },
                Recording.none());

        assertThat(commit).isInstanceOf(Commit.Conflict.class);
        assertThat(pools()).containsExactly("second");
    }

    @Test
    void announcementOfADeadProcessDoesNotHinderOthersAndIsRemoved() {
        store().commit(List.of(new Write.Create("/cadastre/calico/pool-announcement", Bytes.ofUtf8("{}"))));

        var commit = decided("first", "10.0.0.0/16").save();

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(store().listAll("/cadastre/").documents()).isEmpty();
        assertThat(store().listAll("/calico/cadastre/").documents()).isEmpty();
    }

    @Test
    void ofManyOverlappingPoolsAtOnceOneIsCreatedAndTheOthersAreRefused() throws Exception {
        var outcomes = new ArrayList<Applied>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Applied>>();
            for (int number = 0; number < 8; number++) {
                var given = given("p" + number, "10.0.0.0/" + (16 + number));
                running.add(threads.submit(() -> enacted(given)));
            }
            for (var one : running) {
                outcomes.add(one.get());
            }
        } catch (ExecutionException failed) {
            throw new AssertionError(failed.getCause());
        }

        assertThat(pools()).hasSize(1);
        assertThat(outcomes).filteredOn(Applied.Created.class::isInstance).hasSize(1);
        assertThat(outcomes).filteredOn(Applied.Invalid.class::isInstance).hasSize(7);
        assertThat(store().listAll("/cadastre/").documents()).isEmpty();
        assertThat(store().listAll("/calico/cadastre/").documents()).isEmpty();
    }

    // ---- how it is asked ----

    private Applied enacted(Resources.Given given) {
        var registrar = new Registrar<>(
                new ResourceBook(store()),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(NOON),
                new SplittableRandom(given.name().hashCode()),
                Thread::sleep);
        return registrar.enact(new Request<>("create " + given.name(), view -> Resources.create(view, given)));
    }

    private static Resources.Given given(String name, String cidr) {
        var text = "{'metadata':{'name':'%s'},'spec':{'cidr':'%s'}}"
                .formatted(name, cidr)
                .replace('\'', '"');
        return new Resources.Given(
                CalicoKinds.POOL,
                Json.readObject("given", Bytes.ofUtf8(text)),
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)),
                NOON);
    }

    private Page<ResourceView, DocumentChange> decided(String name, String cidr) {
        var given = given(name, cidr);
        var page = new ResourceBook(store()).open();
        for (int reading = 1; reading <= 10; reading++) {
            try {
                return page.with(Resources.create(page.view(), given).changes());
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
        throw new AssertionError("it reads on and on");
    }

    private List<String> pools() {
        return store().listAll(CalicoKeys.POOLS).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.POOLS.length()))
                .toList();
    }
}
