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
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockOwners;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Lease;
import io.cadastre.engine.block.OwnerChange;
import io.cadastre.engine.block.Use;
import io.cadastre.wire.cni.CalicoIpamConfig;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
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

    private final Tenant asked;
    private final String host;
    private final CalicoIpamConfig config;
    private final SortedMap<String, String> namespaceLabels;
    private final String podUid;
    private final Instant now;

    /// What the engine decided about this request so far. The thread that leads the registrar touches
    /// it, one at a time.
    private final List<Made<AddressAssignment>> ones = new ArrayList<>();

    private final List<Made<Assignment>> any = new ArrayList<>();

    /// A decision, and what the engine had decided.
    private record Made<O>(Decision<BlockChange, Grant> told, Decision<BlockChange, O> decided) {}

    /// @param namespaceLabels of the pod's namespace
    /// @param podUid empty if the runtime does not say
    Asking(
            Tenant asked,
            String host,
            CalicoIpamConfig config,
            SortedMap<String, String> namespaceLabels,
            String podUid,
            Instant now) {
        this.asked = asked;
        this.host = host;
        this.config = config;
        this.namespaceLabels = namespaceLabels;
        this.podUid = podUid;
        this.now = now;
    }

    AttachmentId id() {
        return asked.id();
    }

    String host() {
        return host;
    }

    String words() {
        return "cni add %s on %s".formatted(asked.id().text(), host);
    }

    /// Decides by what is there now.
    ///
    /// @param lost earlier decisions whose commits were not answered
    Decision<BlockChange, Grant> decide(BlockView view, List<Decision<BlockChange, Grant>> lost) {
        var tenant = asked.under(view.config());
        var has = Tenure.of(view, tenant.handle()).stream().filter(tenant::holds).toList();
        return config.requested()
                .map(address -> decideOne(view, tenant, address, has, lost))
                .orElseGet(() -> decideAny(view, tenant, has, lost));
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
            Tenant tenant,
            Address address,
            List<Tenure> has,
            List<Decision<BlockChange, Grant>> lost) {
        var alone = new Lease(address, new Prefix(address, address.family().bits()));
        var same = has.stream().filter(tenure -> tenure.address().equals(address)).toList();
        if (!same.isEmpty()) {
            return kept(view, tenant, same, List.of(alone));
        }
        var request =
                AssignAddressRequest.of(address, host, claimant(tenant), now)
                        .forUse(Use.WORKLOAD)
                        .after(engineOf(ones, lost));
        var decision = BlockEngine.assignAddress(view, request);
        return switch (decision.outcome()) {
            case AddressAssignment.Assigned _ ->
                    note(
                            ones,
                            decision,
                            decision.withOutcome(
                                    new Grant.Granted(
                                            tenant.handle(),
                                            Grant.Use.ALONE,
                                            List.of(alone),
                                            List.of(alone))));
            case AddressAssignment.Refused(var refusal) ->
                    refused(refusal.sentence(), decision.because());
        };
    }

    private Decision<BlockChange, Grant> decideAny(
            BlockView view,
            Tenant tenant,
            List<Tenure> has,
            List<Decision<BlockChange, Grant>> lost) {
        var kept = new ArrayList<Tenure>();
        var missing = new ArrayList<Family>();
        for (var family : wanted(config)) {
            find(has, family).ifPresentOrElse(kept::add, () -> missing.add(family));
        }
        if (missing.isEmpty()) {
            return kept(view, tenant, kept, leases(kept));
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
                                        tenant,
                                        request(tenant, missing, ipv4, ipv6)
                                                .after(engineOf(any, lost)),
                                        kept);
                    };
        };
    }

    /// The families that are to be given, unless one address is asked for.
    static List<Family> wanted(CalicoIpamConfig config) {
        var families = new ArrayList<Family>();
        if (config.assignIpv4()) {
            families.add(Family.IPV4);
        }
        if (config.assignIpv6()) {
            families.add(Family.IPV6);
        }
        return families;
    }

    private static Optional<Tenure> find(List<Tenure> has, Family family) {
        return has.stream().filter(tenure -> tenure.address().family() == family).findFirst();
    }

    private static List<Lease> leases(List<Tenure> tenures) {
        return tenures.stream().map(Tenure::lease).toList();
    }

    private AssignRequest request(
            Tenant tenant, List<Family> missing, List<Prefix> ipv4, List<Prefix> ipv6) {
        return AssignRequest.on(host, Use.WORKLOAD, now)
                .by(claimant(tenant))
                .ipv4(Ask.of(missing.contains(Family.IPV4) ? 1 : 0).from(ipv4))
                .ipv6(Ask.of(missing.contains(Family.IPV6) ? 1 : 0).from(ipv6))
                .withNamespaceLabels(namespaceLabels)
                .withMaxBlocksPerHost(config.singleBlockPerHost() ? 1 : 0);
    }

    private Decision<BlockChange, Grant> assign(
            BlockView view, Tenant tenant, AssignRequest request, List<Tenure> kept) {
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
        var all = new ArrayList<>(leases(kept));
        all.addAll(added);
        all.sort((one, other) -> one.address().family().compareTo(other.address().family()));
        return note(
                any,
                decision,
                takeOver(
                        view,
                        tenant,
                        kept,
                        decision.withOutcome(
                                new Grant.Granted(
                                        tenant.handle(), use(tenant, kept), all, added))));
    }

    /// Says of what is kept that this interface has it now, after everything else.
    private Decision<BlockChange, Grant> takeOver(
            BlockView view,
            Tenant tenant,
            List<Tenure> kept,
            Decision<BlockChange, Grant> decision) {
        var changes = new ArrayList<>(decision.changes());
        var because = new ArrayList<>(decision.because());
        var after = view;
        for (var change : changes) {
            after = after.with(change);
        }
        for (var tenure : kept) {
            var request = tenant.takeOver(tenure, attributes(tenant), now);
            if (request.isPresent()) {
                var told = BlockOwners.set(after, request.get());
                if (told.outcome() instanceof OwnerChange.Refused(_, var refusal)) {
                    return refused(refusal.sentence(), told.because());
                }
                changes.addAll(told.changes());
                because.addAll(told.because());
                for (var change : told.changes()) {
                    after = after.with(change);
                }
            }
        }
        return new Decision<>(
                decision.outcome(), changes, because, decision.seams(), decision.extent());
    }

    private Claimant claimant(Tenant tenant) {
        return Claimant.of(tenant.handle(), attributes(tenant));
    }

    private SortedMap<String, String> attributes(Tenant tenant) {
        var attributes = new TreeMap<>(tenant.attributes());
        attributes.put("node", host);
        attributes.put("timestamp", TIMESTAMP.format(now));
        if (config.orchestrator() == Orchestrator.K8S) {
            attributes.put("pod", config.pod());
            attributes.put("namespace", config.namespace());
            if (!podUid.isEmpty()) {
                attributes.put(BlockHoldings.POD_UID, podUid);
            }
        }
        attributes.put(AttachmentId.ATTRIBUTE, tenant.id().text());
        return attributes;
    }

    private Decision<BlockChange, Grant> kept(
            BlockView view, Tenant tenant, List<Tenure> kept, List<Lease> told) {
        return takeOver(
                view,
                tenant,
                kept,
                new Decision<>(
                        new Grant.Granted(tenant.handle(), use(tenant, kept), told, List.of()),
                        List.of(),
                        told.stream().<Because>map(HeldAlready::new).toList()));
    }

    private static Grant.Use use(Tenant tenant, List<Tenure> kept) {
        return kept.stream().anyMatch(tenant::shares) ? Grant.Use.SHARED : Grant.Use.ALONE;
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
