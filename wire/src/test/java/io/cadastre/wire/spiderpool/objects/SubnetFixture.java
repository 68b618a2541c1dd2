package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Change;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.ReclaimPolicy;
import io.cadastre.engine.pool.subnet.SubnetChange;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetEngine;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.subnet.SubnetRegistrar;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/// A store with subnets and pools, in the words of a test.
final class SubnetFixture {

    static final Instant NOW = Instant.parse("2026-11-15T08:20:11Z");
    static final List<Family> BOTH = List.of(Family.IPV4, Family.IPV6);

    final Datastore store;
    final Registrar<ObjectView, DocumentChange> objects;
    final Registrar<SubnetView, SubnetChange> subnets;

    SubnetFixture(Datastore store) {
        this.store = store;
        this.objects = registrar(new ObjectBook(store));
        this.subnets = registrar(new SubnetBook(store, InstantSource.fixed(NOW), new SplittableRandom(1)));
    }

    private static <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book) {
        return new Registrar<>(
                book,
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(NOW),
                new SplittableRandom(1),
                _ -> {});
    }

    static Given given(SpiderKind kind, String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        return new Given(kind, json, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)), NOW, BOTH);
    }

    ObjectOutcome apply(Given given) {
        var outcome = objects.enact(new Request<>("apply", view -> SpiderObjects.apply(view, given)));
        objects.enact(new Request<>("count", view -> SpiderObjects.count(view, given.kind(), given.name())));
        return outcome;
    }

    ObjectOutcome subnet(String name, String spec) {
        return apply(given(SpiderKinds.SUBNET, name, spec));
    }

    ObjectOutcome pool(String name, String spec) {
        return apply(given(SpiderKinds.POOL, name, spec));
    }

    static String refusal(ObjectOutcome outcome) {
        return ((ObjectOutcome.Refused) outcome).sentence();
    }

    ObjectOutcome remove(SpiderKind kind, String name) {
        return objects.enact(new Request<>("delete", view -> SpiderObjects.remove(view, kind, name, NOW)));
    }

    SubnetOutcome claim(SubnetClaim claim) {
        return subnets.enact(new Request<>("claim", (view, earlier) -> SubnetEngine.claim(view, claim, earlier)));
    }

    static SubnetClaim claim(String subnet, String application, String uid, long count) {
        return new SubnetClaim(
                subnet,
                new OwnerApplication("apps/v1", "Deployment", "ns1", application),
                uid,
                "eth0",
                Family.IPV4,
                count,
                "+1",
                ReclaimPolicy.RECLAIM);
    }

    SubnetRegistrar looks() {
        return new SubnetRegistrar(
                store, new SubnetBook(store, InstantSource.fixed(NOW), new SplittableRandom(1)), subnets);
    }

    void tend(String subnet) {
        var tended = looks().tend("tend", subnet);
        assertThat(tended.refused()).isEmpty();
    }

    ObjectNode json(String key) {
        return Json.readObject(key, store.get(key).orElseThrow().value());
    }

    void put(String key, ObjectNode json) {
        var former = store.get(key);
        var commit = store.commit(
                List.of(former.<Write>map(document -> new Write.Update(key, Json.write(json), document.revision()))
                        .orElseGet(() -> new Write.Create(key, Json.write(json)))));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    void occupy(String pool, String address) {
        var json = json(SpiderKeys.pool(pool));
        Trees.child(json, "status")
                .put("allocatedIPs", "{\"%s\":{\"pod\":\"ns1/a\",\"podUid\":\"u1\"}}".formatted(address))
                .put("allocatedIPCount", 1);
        put(SpiderKeys.pool(pool), json);
    }
}
