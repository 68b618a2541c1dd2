package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.kubernetes.CoreBook;
import io.cadastre.wire.kubernetes.CoreKind;
import io.cadastre.wire.kubernetes.CoreOutcome;
import io.cadastre.wire.kubernetes.CoreWriting;
import io.cadastre.wire.kubernetes.CoreWriting.Given;
import java.util.function.Function;

/// What commands do with Pods, Namespaces and Nodes of the core group, where there is no cluster.
final class CoreSession {

    private CoreSession() {}

    /// Creates or replaces an object, and returns a word for what was done.
    static String apply(CalicoSession ipam, String words, CoreKind kind, ObjectNode json) {
        var given = new Given(kind, json, ipam.freshUid(), ipam.now());
        return enact(ipam, words, given.key(), stored -> CoreWriting.apply(stored, given));
    }

    /// Creates an object, and returns a word for what was done.
    static String create(CalicoSession ipam, String words, CoreKind kind, ObjectNode json) {
        var given = new Given(kind, json, ipam.freshUid(), ipam.now());
        return enact(ipam, words, given.key(), stored -> CoreWriting.create(stored, given));
    }

    /// Deletes an object, and returns what was done.
    static String remove(CalicoSession ipam, String words, CoreKind kind, String name) {
        return enact(ipam, words, kind.key(name), stored -> CoreWriting.remove(stored, kind, name));
    }

    private static String enact(
            CalicoSession ipam,
            String words,
            String key,
            Function<CoreBook.Stored, Decision<DocumentChange, CoreOutcome>> law) {
        var session = ipam.session();
        if (!session.datastore().atomic()) {
            throw new CommandRefusedException("objects of the core group of a cluster are written with kubectl");
        }
        return switch (session.registrar(new CoreBook(session.datastore(), key)).enact(new Request<>(words, law))) {
            case CoreOutcome.Created _ -> "created";
            case CoreOutcome.Configured _ -> "configured";
            case CoreOutcome.Unchanged _ -> "unchanged";
            case CoreOutcome.Deleted _ -> "deleted";
            case CoreOutcome.Refused(var sentence) -> throw new CommandRefusedException(sentence);
        };
    }
}
