package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.registry.Request;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.ObjectChange;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.ReservedDocument;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// What commands do with Spiderpool's objects.
final class SpiderpoolSession {

    private SpiderpoolSession() {}

    /// Creates or replaces an object, and returns a word for what was done.
    static String apply(CalicoSession ipam, String words, SpiderObjects.Kind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return enact(ipam, words, view -> SpiderObjects.apply(view, given));
    }

    /// Creates an object, and returns a word for what was done.
    static String create(CalicoSession ipam, String words, SpiderObjects.Kind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return enact(ipam, words, view -> SpiderObjects.create(view, given));
    }

    private static Given given(CalicoSession ipam, SpiderObjects.Kind kind, ObjectNode json) {
        return new Given(kind, json, ipam.freshUid(), ipam.now(), PoolSettings.DEFAULT.families());
    }

    /// Deletes an object, and returns what was done.
    static String remove(CalicoSession ipam, String words, SpiderObjects.Kind kind, String name) {
        var now = ipam.now();
        return enact(ipam, words, view -> SpiderObjects.remove(view, kind, name, now));
    }

    private static String enact(
            CalicoSession ipam, String words, Function<ObjectView, Decision<ObjectChange, ObjectOutcome>> law) {
        checkPlace(ipam.session().datastore());
        return switch (ipam.objects().enact(new Request<>(words, law))) {
            case ObjectOutcome.Created _ -> "created";
            case ObjectOutcome.Configured _ -> "configured";
            case ObjectOutcome.Unchanged _ -> "unchanged";
            case ObjectOutcome.Deleted _ -> "deleted";
            case ObjectOutcome.Terminating(int addresses) ->
                ("is being deleted: it assigns no more addresses and is removed with the last of its"
                                + " addresses in use, now %d")
                        .formatted(addresses);
            case ObjectOutcome.Refused(var sentence) -> throw new CommandRefusedException(sentence);
        };
    }

    private static void checkPlace(Datastore store) {
        if (!store.hasPlace(SpiderKeys.pool("any"))) {
            throw new CommandRefusedException("this store does not support Spiderpool's objects");
        }
    }

    /// An object that is stored.
    record Shown(String name, Bytes content, long revision) {}

    /// All objects of a kind that can be read, in the order of their keys.
    static List<Shown> all(Datastore store, ResourceKind kind) {
        checkPlace(store);
        return switch (kind) {
            case SPIDER_POOL ->
                shown(
                        store,
                        SpiderKeys.POOLS,
                        (name, value) -> SpiderPoolDocument.decode(name, value).encode());
            case SPIDER_RESERVED ->
                shown(
                        store,
                        SpiderKeys.RESERVED,
                        (name, value) -> ReservedDocument.decode(name, value).encode());
            case SPIDER_ENDPOINT ->
                shown(
                        store,
                        SpiderKeys.ENDPOINTS,
                        (name, value) ->
                                SpiderEndpointDocument.decode(pod(name), value).encode());
            case POOL, RESERVATION, CONFIGURATION, NODE, CLUSTER, BLOCK, AFFINITY, HANDLE ->
                throw new IllegalStateException("not Spiderpool's: " + kind);
        };
    }

    private static PodKey pod(String name) {
        int slash = name.indexOf('/');
        return new PodKey(name.substring(0, Math.max(0, slash)), name.substring(slash + 1));
    }

    /// How a document is read, and written again.
    @FunctionalInterface
    private interface Reading {
        Bytes read(String name, Bytes value);
    }

    private static List<Shown> shown(Datastore store, String keys, Reading reading) {
        return store.listAll(keys).documents().stream()
                .flatMap(document -> shown(document, keys, reading))
                .toList();
    }

    private static Stream<Shown> shown(Document document, String keys, Reading reading) {
        var name = document.key().substring(keys.length());
        try {
            return Stream.of(new Shown(name, reading.read(name, document.value()), document.revision()));
        } catch (UnreadableDocumentException _) {
            return Stream.empty();
        }
    }
}
