package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.registry.HoldingPeriod;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.ArrayList;
import java.util.List;

/// The holder of an address or a node CIDR, from another source than the store.
///
/// @param holding named as the store would name it
/// @param source where the claim comes from
record HolderClaim(Holding holding, Known known, String source) {

    static final String HANDLE = "handle/";
    static final String POD = "pod/";
    static final String NODE = "node/";

    static final String HOST = "host:";

    /// How precisely the source knows the holder.
    enum Known {
        /// By what it is released by.
        HOLDER,
        /// By the name of the pod alone; the handle is made up.
        POD,
        /// Not at all, only that the address is in use.
        ADDRESS
    }

    /// Whether the other holder is this one, for all that is known.
    boolean agrees(Holding other) {
        if (holding.holder().equals(other.holder())) {
            return true;
        }
        var own = holding.facts();
        var theirs = other.facts();
        return switch (known) {
            case HOLDER -> false;
            case POD ->
                theirs.pod().isEmpty()
                        || (theirs.pod().equals(own.pod()) && theirs.namespace().equals(own.namespace()));
            case ADDRESS -> true;
        };
    }

    Range range() {
        return holding.range();
    }

    /// The address, or the CIDR of a node.
    String subject() {
        var range = holding.range();
        return range.first().equals(range.last())
                ? range.first().toString()
                : range.prefixes().getFirst().toString();
    }

    /// The holder without the prefix that names its kind.
    static String name(Holding holding) {
        return holding.holder().startsWith(HANDLE) ? holding.holder().substring(HANDLE.length()) : holding.holder();
    }

    /// What holders have at the end of a ledger, in dialects that keep it in a store.
    ///
    /// @param node the one to name where the ledger names none
    static List<HolderClaim> ofLedger(Ledger ledger, String node, String source) {
        var open = ledger.openPeriods(Ledger.Writers.OTHERS_TOO).periods().stream()
                .map(HoldingPeriod::holding)
                .toList();
        var blocks = open.stream()
                .filter(holding -> holding.level() == Level.NODE)
                .filter(holding -> holding.holder().startsWith(HOST))
                .toList();
        return open.stream()
                .filter(LedgerComparison::isOfStore)
                .map(holding -> withNode(holding, blocks, node))
                .map(holding -> new HolderClaim(holding, Known.HOLDER, source))
                .toList();
    }

    /// Old entries do not record the node of an address; the node of its block serves as well.
    private static Holding withNode(Holding holding, List<Holding> blocks, String node) {
        if (!holding.facts().node().isEmpty()) {
            return holding;
        }
        var ofBlock = blocks.stream()
                .filter(block -> block.range().overlaps(holding.range()))
                .map(block -> block.holder().substring(HOST.length()))
                .reduce(node, (_, later) -> later);
        return new Holding(
                holding.range(),
                holding.level(),
                holding.holder(),
                holding.state(),
                holding.facts().withNode(ofBlock));
    }

    /// Pods that run and have addresses of their own, by the Kubernetes API.
    static List<HolderClaim> ofPods(Datastore cluster) {
        var claims = new ArrayList<HolderClaim>();
        cluster.scan(CoreKeys.PODS, page -> page.forEach(document -> claims.addAll(ofPod(document))));
        return claims;
    }

    private static List<HolderClaim> ofPod(Document document) {
        var pod = PodDocument.read(document);
        if (pod.hostNetwork() || pod.nodeName().isEmpty() || pod.ended()) {
            return List.of();
        }
        return PodDocument.name(document.key(), HolderFacts::ofPod).stream()
                .map(facts -> facts.withNode(pod.nodeName()))
                .flatMap(facts ->
                        pod.addresses(NonObjects.EMPTY).stream().sorted().map(text -> ofPod(facts, text)))
                .toList();
    }

    private static HolderClaim ofPod(HolderFacts facts, String address) {
        return new HolderClaim(
                new Holding(
                        Range.of(Address.parse(address)),
                        Level.ENDPOINT,
                        HANDLE + "adopted.%s.%s".formatted(facts.namespace(), facts.pod()),
                        State.HELD,
                        facts),
                Known.POD,
                "pod %s/%s".formatted(facts.namespace(), facts.pod()));
    }
}
