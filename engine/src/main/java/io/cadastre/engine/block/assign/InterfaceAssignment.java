package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.OwnerChange;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.AttachRequest.PoolReference;
import io.cadastre.engine.block.assign.AttachRequest.Wanted;
import io.cadastre.engine.block.assign.AttachResult.Granted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// The assignment of the addresses of one interface, by what the interface has by then; so it never gets them twice.
///
/// A request is served as a whole or not at all: where one family cannot be given, nothing of the other is written
/// either.
public final class InterfaceAssignment {

    private final BlockView view;
    private final AttachRequest request;
    private final AddressOwner owner;
    private final SortedMap<String, String> attributes;

    public InterfaceAssignment(BlockView view, AttachRequest request) {
        this.view = view;
        this.request = request;
        this.owner = request.owner().under(view.config());
        this.attributes = new TreeMap<>(owner.attributes());
        attributes.putAll(request.attributes());
        attributes.put(AttachmentId.ATTRIBUTE, owner.id().text());
    }

    public Decision<BlockChange, AttachResult> decide() {
        var has = HeldAddress.of(view, owner.handle()).stream()
                .filter(owner::holds)
                .toList();
        return switch (request.wanted()) {
            case Wanted.One(var address) -> decideOne(address, has);
            case Wanted.Any any -> decideAny(any, has);
        };
    }

    private Decision<BlockChange, AttachResult> decideOne(Address address, List<HeldAddress> has) {
        var alone = AssignedAddress.alone(address);
        var same = has.stream().filter(held -> held.address().equals(address)).toList();
        if (!same.isEmpty()) {
            return keep(same, List.of(alone));
        }
        var assign = AssignAddressRequest.of(address, request.host(), requester(), request.now())
                .forUse(AddressUse.WORKLOAD)
                .after(lost(_ -> new AddressAssignment.Assigned(alone)));
        var decision = BlockEngine.assignAddress(view, assign);
        return switch (decision.outcome()) {
            case AddressAssignment.Assigned _ ->
                decision.withOutcome(
                        new Granted(owner.handle(), AttachResult.Use.ALONE, List.of(alone), List.of(alone)));
            case AddressAssignment.Refused(var refusal) ->
                barring(assign.attempted(), refused(refusal.sentence(), decision.because()));
        };
    }

    private Decision<BlockChange, AttachResult> decideAny(Wanted.Any any, List<HeldAddress> has) {
        var kept = new ArrayList<HeldAddress>();
        var missing = new ArrayList<Family>();
        for (var family : any.families()) {
            find(has, family).ifPresentOrElse(kept::add, () -> missing.add(family));
        }
        if (missing.isEmpty()) {
            return keep(kept, leases(kept));
        }
        var asked = AssignRequest.on(request.host(), AddressUse.WORKLOAD, request.now())
                .by(requester())
                .withNamespaceLabels(request.namespaceLabels())
                .withMaxBlocksPerHost(request.maxBlocksPerHost())
                .after(lost(InterfaceAssignment::assignment));
        var decision = assign(asked, any, missing, kept);
        return decision.outcome() instanceof AttachResult.Refused ? barring(asked.attempted(), decision) : decision;
    }

    private Decision<BlockChange, AttachResult> assign(
            AssignRequest asked, Wanted.Any any, List<Family> missing, List<HeldAddress> kept) {
        var asks = new ArrayList<Ask>();
        for (var family : Family.values()) {
            var pools = new ArrayList<Prefix>();
            for (var reference : any.pools(family)) {
                switch (reference) {
                    case PoolReference.OfPrefix(var cidr) -> pools.add(cidr);
                    case PoolReference.Named named -> {
                        var cidr = named.find(view.pools());
                        if (cidr.isEmpty()) {
                            return refused(named.unknown(), List.of());
                        }
                        pools.add(cidr.get());
                    }
                }
                if (pools.getLast().family() != family) {
                    return refused(
                            "\"%s\" isn't a %s address"
                                    .formatted(pools.getLast().first(), family),
                            List.of());
                }
            }
            asks.add(Ask.of(missing.contains(family) ? 1 : 0).from(pools));
        }
        var decision = BlockEngine.assign(view, asked.ipv4(asks.getFirst()).ipv6(asks.getLast()));
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
        all.sort(Comparator.comparing(lease -> lease.address().family()));
        return takeOver(kept, decision.withOutcome(new Granted(owner.handle(), use(kept), all, added)));
    }

    private Decision<BlockChange, AttachResult> keep(List<HeldAddress> kept, List<AssignedAddress> leases) {
        return takeOver(
                kept,
                new Decision<>(
                        new Granted(owner.handle(), use(kept), leases, List.of()),
                        List.of(),
                        leases.stream().<Because>map(HeldAlready::new).toList()));
    }

    /// Records that this interface has what is kept, after everything else.
    private Decision<BlockChange, AttachResult> takeOver(
            List<HeldAddress> kept, Decision<BlockChange, AttachResult> decision) {
        var changes = new ArrayList<>(decision.changes());
        var because = new ArrayList<>(decision.because());
        var after = view;
        for (var written : changes) {
            after = after.with(written);
        }
        for (var held : kept) {
            var change = owner.takeOver(held, attributes, request.now());
            if (change.isPresent()) {
                var told = BlockEngine.setOwner(after, change.get());
                if (told.outcome() instanceof OwnerChange.Refused(var _, var refusal)) {
                    return refused(refusal.sentence(), told.because());
                }
                changes.addAll(told.changes());
                because.addAll(told.because());
                for (var written : told.changes()) {
                    after = after.with(written);
                }
            }
        }
        return new Decision<>(decision.outcome(), changes, because, decision.seams(), decision.extent());
    }

    /// A refusal gives nothing, and keeps earlier attempts from giving anything later.
    private <O> Decision<BlockChange, AttachResult> barring(
            List<Attempt<O>> attempted, Decision<BlockChange, AttachResult> refused) {
        var draft = new Draft(view, request.now());
        Attempt.bar(draft, view, attempted, requester());
        return draft.decided(refused.outcome()).withRemarks(refused.because());
    }

    /// Earlier decisions that gave something and were not answered, as decisions of the verb that assigns.
    private <O> List<Decision<BlockChange, O>> lost(Function<Granted, O> outcome) {
        var lost = new ArrayList<Decision<BlockChange, O>>();
        for (var decision : request.earlier()) {
            if (decision.extent() == Decision.Extent.WHOLE
                    && decision.outcome() instanceof Granted granted
                    && !granted.added().isEmpty()) {
                lost.add(decision.withOutcome(outcome.apply(granted)));
            }
        }
        return lost;
    }

    private static Assignment assignment(Granted granted) {
        return new Assignment.Done(granted.added().stream()
                .map(lease -> new Assignment.Share(
                        lease.address().family(), 1, new HostReserve.None(), List.of(lease), List.of()))
                .toList());
    }

    private static Optional<HeldAddress> find(List<HeldAddress> has, Family family) {
        return has.stream().filter(held -> held.address().family() == family).findFirst();
    }

    private static List<AssignedAddress> leases(List<HeldAddress> heldAddresses) {
        return heldAddresses.stream().map(HeldAddress::lease).toList();
    }

    private AttachResult.Use use(List<HeldAddress> kept) {
        return kept.stream().anyMatch(owner::shares) ? AttachResult.Use.SHARED : AttachResult.Use.ALONE;
    }

    private Requester requester() {
        return Requester.of(owner.handle(), attributes);
    }

    private static Decision<BlockChange, AttachResult> refused(String sentence, List<Because> because) {
        return new Decision<>(new AttachResult.Refused(sentence), List.of(), because);
    }

    /// The interface has the address from an earlier request. The ledger keeps the sentence, as it always did.
    private record HeldAlready(AssignedAddress lease) implements Because {
        @Override
        public String sentence() {
            return "%s was given to this interface before".formatted(lease);
        }
    }
}
