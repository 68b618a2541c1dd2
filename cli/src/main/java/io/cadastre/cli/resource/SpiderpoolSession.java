package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.util.function.Function;

/// What commands do with Spiderpool's objects.
final class SpiderpoolSession {

    private SpiderpoolSession() {}

    /// Creates or replaces an object, and returns a word for what was done.
    static String apply(CalicoSession ipam, String words, SpiderKind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return counted(
                ipam,
                words,
                given,
                enact(ipam, words, given.kind(), given.name(), view -> SpiderObjects.apply(view, given)));
    }

    /// Creates an object, and returns a word for what was done.
    static String create(CalicoSession ipam, String words, SpiderKind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return counted(
                ipam,
                words,
                given,
                enact(ipam, words, given.kind(), given.name(), view -> SpiderObjects.create(view, given)));
    }

    /// Counts what was written in its status, which is a write of its own on an API server.
    private static String counted(CalicoSession ipam, String words, Given given, String done) {
        if (!given.kind().standsAlone()) {
            var kind = given.kind();
            var name = given.name();
            enact(ipam, words + ": count", kind, name, view -> SpiderObjects.count(view, kind, name));
        }
        return done;
    }

    private static Given given(CalicoSession ipam, SpiderKind kind, ObjectNode json) {
        var families =
                new SpiderpoolOptions().settings(ipam.session().context()).families();
        return new Given(kind, json, ipam.freshUid(), ipam.now(), families);
    }

    /// Deletes an object, and returns what was done.
    static String remove(CalicoSession ipam, String words, SpiderKind kind, String name) {
        var now = ipam.now();
        return enact(ipam, words, kind, name, view -> SpiderObjects.remove(view, kind, name, now));
    }

    private static String enact(
            CalicoSession ipam,
            String words,
            SpiderKind kind,
            String name,
            Function<ObjectView, Decision<DocumentChange, ObjectOutcome>> law) {
        var session = ipam.session();
        checkPlace(session.datastore());
        var registrar = kind.standsAlone()
                ? session.registrar(ObjectBook.of(session.datastore(), kind.key(name)))
                : ipam.objects();
        return switch (registrar.enact(new Request<>(words, law))) {
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

    static void checkPlace(Datastore store) {
        if (!store.hasPlace(SpiderKeys.pool("any"))) {
            throw new CommandRefusedException("this store does not support Spiderpool's objects");
        }
    }
}
