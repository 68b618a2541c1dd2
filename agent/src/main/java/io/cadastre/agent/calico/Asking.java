package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Lease;
import io.cadastre.engine.block.Use;
import io.cadastre.wire.cni.CalicoIpamConfig;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A request for the addresses of one interface. It is decided again after each conflict and each lost
/// answer, always by what the interface has then; so it is never given twice.
///
/// It is served wholly or not at all: where one family cannot be given, nothing of the other is written
/// either.
final class Asking {

    /// As Go prints a time.
    private static final DateTimeFormatter TIMESTAMP =
            new DateTimeFormatterBuilder()
                    .appendPattern("uuuu-MM-dd HH:mm:ss")
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .appendLiteral(" +0000 UTC")
                    .toFormatter(Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final AttachmentId id;
    private final String host;
    private final CalicoIpamConfig config;
    private final Instant now;

    /// What the engine decided about this request so far. The thread that leads the registrar touches
    /// it, one at a time.
    private final List<Made<AddressAssignment>> ones = new ArrayList<>();

    private final List<Made<Assignment>> any = new ArrayList<>();

    /// A decision, and what the engine had decided.
    private record Made<O>(Decision<BlockChange, Grant> told, Decision<BlockChange, O> decided) {}

    Asking(AttachmentId id, String host, CalicoIpamConfig config, Instant now) {
        this.id = id;
        this.host = host;
        this.config = config;
        this.now = now;
    }

    String words() {
        return "cni add %s on %s".formatted(id.text(), host);
    }

    /// Decides by what is there now.
    ///
    /// @param lost earlier decisions whose commits were not answered
    Decision<BlockChange, Grant> decide(BlockView view, List<Decision<BlockChange, Grant>> lost) {
        var has = Tenure.of(view, id.handle()).stream().filter(tenure -> tenure.isFor(id)).toList();
        return config.requested()
                .map(address -> decideOne(view, address, has, lost))
                .orElseGet(() -> decideAny(view, has, lost));
    }

    /// What the engine had decided in these.
    private static <O> List<Decision<BlockChange, O>> engineOf(
            List<Made<O>> made, List<Decision<BlockChange, Grant>> lost) {
        return made.stream()
                .filter(one -> lost.contains(one.told))
                .map(one -> one.decided)
                .toList();
    }

    private static <O> Decision<BlockChange, Grant> note(
            List<Made<O>> made,
            Decision<BlockChange, O> decided,
            Decision<BlockChange, Grant> told) {
        made.add(new Made<>(told, decided));
        return told;
    }

    private Decision<BlockChange, Grant> decideOne(
            BlockView view,
            Address address,
            List<Tenure> has,
            List<Decision<BlockChange, Grant>> lost) {
        var alone = new Lease(address, new Prefix(address, address.family().bits()));
        if (has.stream().anyMatch(tenure -> tenure.address().equals(address))) {
            return kept(List.of(alone));
        }
        var request =
                AssignAddressRequest.of(address, host, claimant(), now)
                        .forUse(Use.WORKLOAD)
                        .after(engineOf(ones, lost));
        var decision = BlockEngine.assignAddress(view, request);
        return switch (decision.outcome()) {
            case AddressAssignment.Assigned _ ->
                    note(
                            ones,
                            decision,
                            new Decision<>(
                                    new Grant.Granted(List.of(alone), List.of(alone)),
                                    decision.changes(),
                                    decision.because()));
            case AddressAssignment.Refused(var refusal) ->
                    refused(refusal.sentence(), decision.because());
        };
    }

    private Decision<BlockChange, Grant> decideAny(
            BlockView view, List<Tenure> has, List<Decision<BlockChange, Grant>> lost) {
        var kept = new ArrayList<Lease>();
        var missing = new ArrayList<Family>();
        for (var family : wanted()) {
            find(has, family).ifPresentOrElse(kept::add, () -> missing.add(family));
        }
        if (missing.isEmpty()) {
            return kept(kept);
        }
        var pools = view.pools();
        return switch (PoolChoice.of(config.ipv4Pools(), Family.IPV4, pools)) {
            case PoolChoice.Refused(var sentence) -> refused(sentence, List.of());
            case PoolChoice.Chosen(var ipv4) ->
                    switch (PoolChoice.of(config.ipv6Pools(), Family.IPV6, pools)) {
                        case PoolChoice.Refused(var sentence) -> refused(sentence, List.of());
                        case PoolChoice.Chosen(var ipv6) ->
                                assign(
                                        view,
                                        request(missing, ipv4, ipv6).after(engineOf(any, lost)),
                                        kept);
                    };
        };
    }

    List<Family> wanted() {
        var families = new ArrayList<Family>();
        if (config.assignIpv4()) {
            families.add(Family.IPV4);
        }
        if (config.assignIpv6()) {
            families.add(Family.IPV6);
        }
        return families;
    }

    private static Optional<Lease> find(List<Tenure> has, Family family) {
        return has.stream()
                .map(Tenure::lease)
                .filter(lease -> lease.address().family() == family)
                .findFirst();
    }

    private AssignRequest request(List<Family> missing, List<Prefix> ipv4, List<Prefix> ipv6) {
        return AssignRequest.on(host, Use.WORKLOAD, now)
                .by(claimant())
                .ipv4(Ask.of(missing.contains(Family.IPV4) ? 1 : 0).from(ipv4))
                .ipv6(Ask.of(missing.contains(Family.IPV6) ? 1 : 0).from(ipv6))
                .withNamespaceLabels(namespaceLabels())
                .withMaxBlocksPerHost(config.singleBlockPerHost() ? 1 : 0);
    }

    private Decision<BlockChange, Grant> assign(
            BlockView view, AssignRequest request, List<Lease> kept) {
        var decision = BlockEngine.assign(view, request);
        if (decision.outcome() instanceof Assignment.Stopped(_, var refusal)) {
            return refused(refusal.sentence(), decision.because());
        }
        var added = new ArrayList<Lease>();
        for (var share : decision.outcome().shares()) {
            var shortfall = share.shortfall();
            if (shortfall.isPresent()) {
                return refused(
                        "failed to request %s addresses: %s"
                                .formatted(share.family(), shortfall.get()),
                        decision.because());
            }
            added.addAll(share.leases());
        }
        var all = new ArrayList<>(kept);
        all.addAll(added);
        all.sort((one, other) -> one.address().family().compareTo(other.address().family()));
        return note(
                any,
                decision,
                new Decision<>(
                        new Grant.Granted(all, added), decision.changes(), decision.because()));
    }

    private Claimant claimant() {
        var attributes = new TreeMap<String, String>();
        attributes.put("node", host);
        attributes.put("timestamp", TIMESTAMP.format(now));
        if (config.orchestrator() == Orchestrator.K8S) {
            attributes.put("pod", config.pod());
            attributes.put("namespace", config.namespace());
        }
        attributes.put(AttachmentId.ATTRIBUTE, id.text());
        return Claimant.of(id.handle(), attributes);
    }

    /// Other labels of the namespace are not known here.
    private SortedMap<String, String> namespaceLabels() {
        if (config.orchestrator() != Orchestrator.K8S) {
            return Collections.emptySortedMap();
        }
        var labels = new TreeMap<String, String>();
        labels.put("kubernetes.io/metadata.name", config.namespace());
        return labels;
    }

    private static Decision<BlockChange, Grant> kept(List<Lease> leases) {
        return new Decision<>(
                new Grant.Granted(leases, List.of()),
                List.of(),
                leases.stream().<Because>map(HeldAlready::new).toList());
    }

    private static Decision<BlockChange, Grant> refused(String sentence, List<Because> because) {
        return new Decision<>(new Grant.Refused(sentence), List.of(), because);
    }

    /// The interface has it from an earlier ADD.
    private record HeldAlready(Lease lease) implements Because {
        @Override
        public String sentence() {
            return "%s was given to this interface before".formatted(lease);
        }
    }
}
