package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockOwners;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.OwnerChange;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
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
import java.util.function.Function;

/// A request for the addresses of one interface. It is decided again after each conflict and each lost
/// answer, always by what the interface has then; so it is never given twice.
///
/// It is served wholly or not at all: where one family cannot be given, nothing of the other is written
/// either.
final class AttachRequest {

    /// As Go prints a time.
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendLiteral(" +0000 UTC")
            .toFormatter(Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final AddressOwner asked;
    private final String host;
    private final CalicoIpamConfig config;
    private final SortedMap<String, String> namespaceLabels;
    private final String podUid;
    private final Instant now;

    /// What the engine decided about this request so far. Only the registrar's leading thread touches it,
    /// one at a time.
    private final List<Made<AddressAssignment>> ones = new ArrayList<>();

    private final List<Made<Assignment>> any = new ArrayList<>();

    /// A decision, and what the engine had decided.
    private record Made<O>(Decision<BlockChange, AttachResult> told, Decision<BlockChange, O> decided) {

        boolean became(Decision<BlockChange, AttachResult> lost) {
            return lost.outcome().equals(told.outcome()) && lost.changes().equals(told.changes());
        }
    }

    /// @param namespaceLabels of the pod's namespace
    /// @param podUid empty if the runtime does not say
    AttachRequest(
            AddressOwner asked,
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
    Decision<BlockChange, AttachResult> decide(BlockView view, List<Decision<BlockChange, AttachResult>> lost) {
        var owner = asked.under(view.config());
        var has = HeldAddress.of(view, owner.handle()).stream()
                .filter(owner::holds)
                .toList();
        return config.requested()
                .map(address -> decideOne(view, owner, address, has, lost))
                .orElseGet(() -> decideAny(view, owner, has, lost));
    }

    /// What the engine had decided in these. The registrar may have added reasons to them.
    private static <O> List<Decision<BlockChange, O>> engineOf(
            List<Made<O>> made, List<Decision<BlockChange, AttachResult>> lost) {
        return made.stream()
                .filter(one -> lost.stream().anyMatch(one::became))
                .map(one -> one.decided)
                .toList();
    }

    private static <O> Decision<BlockChange, AttachResult> note(
            List<Made<O>> made, Decision<BlockChange, O> decided, Decision<BlockChange, AttachResult> told) {
        made.add(new Made<>(told, decided));
        return told;
    }

    private Decision<BlockChange, AttachResult> decideOne(
            BlockView view,
            AddressOwner owner,
            Address address,
            List<HeldAddress> has,
            List<Decision<BlockChange, AttachResult>> lost) {
        var alone = new AssignedAddress(
                address, new Prefix(address, address.family().bits()));
        var same = has.stream().filter(held -> held.address().equals(address)).toList();
        if (!same.isEmpty()) {
            return kept(view, owner, same, List.of(alone));
        }
        var request = AssignAddressRequest.of(address, host, requester(owner), now)
                .forUse(AddressUse.WORKLOAD)
                .after(engineOf(ones, lost));
        var decision = BlockEngine.assignAddress(view, request);
        return switch (decision.outcome()) {
            case AddressAssignment.Assigned _ ->
                note(
                        ones,
                        decision,
                        decision.withOutcome(new AttachResult.Granted(
                                owner.handle(), AttachResult.Use.ALONE, List.of(alone), List.of(alone))));
            case AddressAssignment.Refused(var refusal) ->
                barred(refused(refusal.sentence(), decision.because()), it -> BlockEngine.bar(view, request, it));
        };
    }

    private Decision<BlockChange, AttachResult> decideAny(
            BlockView view, AddressOwner owner, List<HeldAddress> has, List<Decision<BlockChange, AttachResult>> lost) {
        var kept = new ArrayList<HeldAddress>();
        var missing = new ArrayList<Family>();
        for (var family : wanted(config)) {
            find(has, family).ifPresentOrElse(kept::add, () -> missing.add(family));
        }
        if (missing.isEmpty()) {
            return kept(view, owner, kept, leases(kept));
        }
        var attempted = engineOf(any, lost);
        var decision = assigned(view, owner, missing, kept, attempted);
        if (!(decision.outcome() instanceof AttachResult.Refused)) {
            return decision;
        }
        var request = request(owner, missing, List.of(), List.of()).after(attempted);
        return barred(decision, it -> BlockEngine.bar(view, request, it));
    }

    private Decision<BlockChange, AttachResult> assigned(
            BlockView view,
            AddressOwner owner,
            List<Family> missing,
            List<HeldAddress> kept,
            List<Decision<BlockChange, Assignment>> attempted) {
        var pools = view.pools();
        return switch (ConfiguredPools.of(config.ipv4Pools(), Family.IPV4, pools)) {
            case ConfiguredPools.Refused(var sentence) -> refused(sentence, List.of());
            case ConfiguredPools.Chosen(var ipv4) ->
                switch (ConfiguredPools.of(config.ipv6Pools(), Family.IPV6, pools)) {
                    case ConfiguredPools.Refused(var sentence) -> refused(sentence, List.of());
                    case ConfiguredPools.Chosen(var ipv6) ->
                        assign(view, owner, request(owner, missing, ipv4, ipv6).after(attempted), kept);
                };
        };
    }

    /// A refusal gives nothing, and keeps earlier attempts from giving anything later.
    private static Decision<BlockChange, AttachResult> barred(
            Decision<BlockChange, AttachResult> refused,
            Function<AttachResult, Decision<BlockChange, AttachResult>> bar) {
        return bar.apply(refused.outcome()).withRemarks(refused.because());
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

    private static Optional<HeldAddress> find(List<HeldAddress> has, Family family) {
        return has.stream().filter(held -> held.address().family() == family).findFirst();
    }

    private static List<AssignedAddress> leases(List<HeldAddress> heldAddresses) {
        return heldAddresses.stream().map(HeldAddress::lease).toList();
    }

    private AssignRequest request(AddressOwner owner, List<Family> missing, List<Prefix> ipv4, List<Prefix> ipv6) {
        return AssignRequest.on(host, AddressUse.WORKLOAD, now)
                .by(requester(owner))
                .ipv4(Ask.of(missing.contains(Family.IPV4) ? 1 : 0).from(ipv4))
                .ipv6(Ask.of(missing.contains(Family.IPV6) ? 1 : 0).from(ipv6))
                .withNamespaceLabels(namespaceLabels)
                .withMaxBlocksPerHost(config.singleBlockPerHost() ? 1 : 0);
    }

    private Decision<BlockChange, AttachResult> assign(
            BlockView view, AddressOwner owner, AssignRequest request, List<HeldAddress> kept) {
        var decision = BlockEngine.assign(view, request);
        if (decision.outcome() instanceof Assignment.Stopped(var _, var refusal)) {
            return refused(refusal.sentence(), decision.because());
        }
        var added = new ArrayList<AssignedAddress>();
        for (var share : decision.outcome().shares()) {
            var shortfall = share.shortfall();
            if (shortfall.isPresent()) {
                return refused(
                        "failed to request %s addresses: %s".formatted(share.family(), shortfall.get()),
                        decision.because());
            }
            added.addAll(share.leases());
        }
        var all = new ArrayList<>(leases(kept));
        all.addAll(added);
        all.sort(
                (one, other) -> one.address().family().compareTo(other.address().family()));
        return note(
                any,
                decision,
                takeOver(
                        view,
                        owner,
                        kept,
                        decision.withOutcome(new AttachResult.Granted(owner.handle(), use(owner, kept), all, added))));
    }

    /// Says of what is kept that this interface has it now, after everything else.
    private Decision<BlockChange, AttachResult> takeOver(
            BlockView view, AddressOwner owner, List<HeldAddress> kept, Decision<BlockChange, AttachResult> decision) {
        var changes = new ArrayList<>(decision.changes());
        var because = new ArrayList<>(decision.because());
        var after = view;
        for (var change : changes) {
            after = after.with(change);
        }
        for (var held : kept) {
            var request = owner.takeOver(held, attributes(owner), now);
            if (request.isPresent()) {
                var told = BlockOwners.set(after, request.get());
                if (told.outcome() instanceof OwnerChange.Refused(var _, var refusal)) {
                    return refused(refusal.sentence(), told.because());
                }
                changes.addAll(told.changes());
                because.addAll(told.because());
                for (var change : told.changes()) {
                    after = after.with(change);
                }
            }
        }
        return new Decision<>(decision.outcome(), changes, because, decision.seams(), decision.extent());
    }

    private Requester requester(AddressOwner owner) {
        return Requester.of(owner.handle(), attributes(owner));
    }

    private SortedMap<String, String> attributes(AddressOwner owner) {
        var attributes = new TreeMap<>(owner.attributes());
        attributes.put("node", host);
        attributes.put("timestamp", TIMESTAMP.format(now));
        if (config.orchestrator() == Orchestrator.K8S) {
            attributes.put("pod", config.pod());
            attributes.put("namespace", config.namespace());
            if (!podUid.isEmpty()) {
                attributes.put(BlockHoldings.POD_UID, podUid);
            }
        }
        attributes.put(AttachmentId.ATTRIBUTE, owner.id().text());
        return attributes;
    }

    private Decision<BlockChange, AttachResult> kept(
            BlockView view, AddressOwner owner, List<HeldAddress> kept, List<AssignedAddress> told) {
        return takeOver(
                view,
                owner,
                kept,
                new Decision<>(
                        new AttachResult.Granted(owner.handle(), use(owner, kept), told, List.of()),
                        List.of(),
                        told.stream().<Because>map(HeldAlready::new).toList()));
    }

    private static AttachResult.Use use(AddressOwner owner, List<HeldAddress> kept) {
        return kept.stream().anyMatch(owner::shares) ? AttachResult.Use.SHARED : AttachResult.Use.ALONE;
    }

    private static Decision<BlockChange, AttachResult> refused(String sentence, List<Because> because) {
        return new Decision<>(new AttachResult.Refused(sentence), List.of(), because);
    }

    /// The interface has it from an earlier ADD.
    private record HeldAlready(AssignedAddress lease) implements Because {
        @Override
        public String sentence() {
            return "%s was given to this interface before".formatted(lease);
        }
    }
}
