package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrBook;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrKind;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrObjects;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrObjects.Given;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrStock;
import io.cadastre.wire.survey.StoreRanges;
import java.util.function.Function;

/// What commands do with ClusterCIDRs.
final class ClusterCidrSession {

    private ClusterCidrSession() {}

    /// Creates or replaces an object, and returns a word for what was done.
    static String apply(CalicoSession ipam, String words, ClusterCidrKind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return enact(ipam, words, kind, stock -> ClusterCidrObjects.apply(stock, given));
    }

    /// Creates an object, and returns a word for what was done.
    static String create(CalicoSession ipam, String words, ClusterCidrKind kind, ObjectNode json) {
        var given = given(ipam, kind, json);
        return enact(ipam, words, kind, stock -> ClusterCidrObjects.create(stock, given));
    }

    private static Given given(CalicoSession ipam, ClusterCidrKind kind, ObjectNode json) {
        return new Given(kind.group(), json, ipam.freshUid(), ipam.now());
    }

    /// Deletes an object, and returns what was done.
    static String remove(CalicoSession ipam, String words, ClusterCidrKind kind, String name) {
        var now = ipam.now();
        return enact(ipam, words, kind, stock -> ClusterCidrObjects.remove(stock, kind.group(), name, now));
    }

    private static String enact(
            CalicoSession ipam,
            String words,
            ClusterCidrKind kind,
            Function<ClusterCidrStock, Decision<DocumentChange, ClusterCidrOutcome>> law) {
        var session = ipam.session();
        var registrar =
                session.registrar(new ClusterCidrBook(session.datastore(), kind.group(), StoreRanges::besideNodeCidr));
        return switch (registrar.enact(new Request<>(words, law))) {
            case ClusterCidrOutcome.Created _ -> "created";
            case ClusterCidrOutcome.Configured _ -> "configured";
            case ClusterCidrOutcome.Unchanged _ -> "unchanged";
            case ClusterCidrOutcome.Deleted _ -> "deleted";
            case ClusterCidrOutcome.Terminating _ ->
                "is being deleted: nodes get no more CIDRs of it, and it is removed when no node has one";
            case ClusterCidrOutcome.Refused(var sentence) -> throw new CommandRefusedException(sentence);
        };
    }
}
