package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.cilium.CiliumBook;
import io.cadastre.wire.cilium.CiliumKind;
import io.cadastre.wire.cilium.CiliumObjects;
import io.cadastre.wire.cilium.CiliumObjects.Given;
import io.cadastre.wire.cilium.CiliumOutcome;
import io.cadastre.wire.cilium.CiliumStock;
import io.cadastre.wire.survey.StoreRanges;
import java.util.function.Function;

/// What commands do with the objects of Cilium.
final class CiliumSession {

    private CiliumSession() {}

    /// Creates or replaces an object, and returns a word for what was done.
    static String apply(CalicoSession ipam, String words, CiliumKind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return enact(ipam, words, kind, stock -> CiliumObjects.apply(stock, given));
    }

    /// Creates an object, and returns a word for what was done.
    static String create(CalicoSession ipam, String words, CiliumKind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return enact(ipam, words, kind, stock -> CiliumObjects.create(stock, given));
    }

    private static Given given(CalicoSession ipam, CiliumKind kind, ObjectNode json) {
        return new Given(kind, json, ipam.freshUid(), ipam.now());
    }

    /// Deletes an object, and returns what was done.
    static String remove(CalicoSession ipam, String words, CiliumKind kind, String name) {
        return enact(ipam, words, kind, stock -> CiliumObjects.remove(stock, kind, name));
    }

    private static String enact(
            CalicoSession ipam,
            String words,
            CiliumKind kind,
            Function<CiliumStock, Decision<DocumentChange, CiliumOutcome>> law) {
        var store = ipam.session().datastore();
        if (!store.hasPlace(kind.key("any"))) {
            throw new CommandRefusedException("this store does not support Cilium's objects");
        }
        var registrar = ipam.session().registrar(new CiliumBook(store, kind, StoreRanges::besideCilium));
        return switch (registrar.enact(new Request<>(words, law))) {
            case CiliumOutcome.Created _ -> "created";
            case CiliumOutcome.Configured _ -> "configured";
            case CiliumOutcome.Unchanged _ -> "unchanged";
            case CiliumOutcome.Deleted _ -> "deleted";
            case CiliumOutcome.Refused(var sentence) -> throw new CommandRefusedException(sentence);
        };
    }
}
