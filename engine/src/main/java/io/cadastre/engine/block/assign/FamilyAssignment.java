package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockReason.BlockRule;
import io.cadastre.engine.block.BlockReason.Exhausted;
import io.cadastre.engine.block.BlockReason.GivenBefore;
import io.cadastre.engine.block.BlockReason.HandleHasEnough;
import io.cadastre.engine.block.BlockReason.LimitReached;
import io.cadastre.engine.block.BlockReason.PassedOver;
import io.cadastre.engine.block.BlockReason.TookFrom;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.Handles;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.Assignment.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// The part of an assignment that is about one family.
public final class FamilyAssignment {

    /// How many blocks a host may have in a family if no limit is configured.
    public static final int BLOCKS_PER_HOST_DEFAULT = 20;

    private final Draft draft;
    private final AssignRequest request;
    private final Family family;
    private final AssignRequest.Ask ask;
    private final Owner owner;
    private final List<AssignedAddress> leases = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();
    private boolean begun;

    public FamilyAssignment(Draft draft, AssignRequest request, Family family) {
        this.draft = draft;
        this.request = request;
        this.family = family;
        this.ask = request.ask(family);
        this.owner = request.owner();
    }

    /// Whether the request came so far that there is a share, even an empty one.
    public boolean begun() {
        return begun;
    }

    public Share share() {
        return new Share(family, ask.count(), ask.hostReserve(), leases, messages);
    }

    /// Looks at what every assignment depends on. Which blocks it needs shows only then.
    public void look() {
        if (missing() > 0 && refusalOfRequest().isEmpty()) {
            draft.lookAtAll(List.of(
                    _ -> nodeLabels(),
                    BlockView::config,
                    BlockView::pools,
                    BlockView::reservations,
                    view -> view.affinitiesOf(owner, family),
                    view -> request.requester().findHandle(view)));
        }
    }

    private Optional<BlockRefusal> refusalOfRequest() {
        var mixed = mixedFamilies(ask, family);
        return mixed.isEmpty() && request.use() == AddressUse.UNSTATED
                ? because("must specify the intended use when assigning an IP")
                : mixed;
    }

    /// Assigns what there is, and returns the refusal if it ended in one.
    public Optional<BlockRefusal> run() {
        if (missing() == 0) {
            return Optional.empty();
        }
        var refused = refusalOfRequest();
        if (refused.isPresent()) {
            return refused;
        }
        var labels = nodeLabels();
        if (labels.isEmpty()) {
            return Optional.of(BlockRefusal.NotThere.node(request.host()));
        }
        var need = new PoolSelection.Need(
                request.host(),
                family,
                ask.pools(),
                request.use(),
                ask.hostReserve(),
                labels.get(),
                request.namespaceLabels());
        return switch (PoolSelection.of(draft, need)) {
            case PoolSelection.Refused(var refusal) -> Optional.of(refusal);
            case PoolSelection.Chosen pools -> {
                begun = true;
                yield give(need, pools);
            }
        };
    }

    public static Optional<BlockRefusal> mixedFamilies(AssignRequest.Ask ask, Family family) {
        if (ask.pools().stream().allMatch(pool -> pool.family() == family)) {
            return Optional.empty();
        }
        var other = family == Family.IPV4 ? Family.IPV6 : Family.IPV4;
        return because("provided %s IPPools list contains one or more %s IPPools".formatted(family, other));
    }

    /// A load balancer is not a node and has no labels.
    private Optional<SortedMap<String, String>> nodeLabels() {
        return request.use() == AddressUse.LOAD_BALANCER
                ? Optional.of(Collections.emptySortedMap())
                : draft.view().findNode(request.host()).map(Node::labels);
    }

    public void recogniseEarlierAttempts() {
        var recognised = new LinkedHashSet<AssignedAddress>();
        for (var attempt : request.attempted()) {
            for (var grant : attempt.grants()) {
                var lease = grant.lease();
                if (lease.address().family() == family
                        && missing() > 0
                        && !recognised.contains(lease)
                        && (attempt.saved() || grant.applied(draft.view(), request.requester()))) {
                    begun = true;
                    recognised.add(lease);
                    leases.add(lease);
                    draft.explain(new GivenBefore(lease));
                }
            }
        }
    }

    private int missing() {
        return ask.count() - leases.size();
    }

    /// From blocks that the owner has, from blocks that it claims, from empty blocks that it takes from others, and
    /// at last single addresses from blocks of others.
    private Optional<BlockRefusal> give(PoolSelection.Need need, PoolSelection.Chosen pools) {
        var limit = blockLimit();
        var claims = BlockClaims.in(draft, owner, need, pools, limit);
        if (capLeaves(1) < 1) {
            return giveWhatTheHandleHas();
        }
        // Ends: each round gives at least one address or is the last.
        while (missing() > 0) {
            var found = claims.own(1).or(() -> claims.claim(1)).or(() -> claims.reclaim(1));
            if (found.isEmpty()) {
                return borrow(pools.usable());
            }
            switch (found.get()) {
                case BlockClaims.Found.Usable(var block) -> {
                    var full = takeFrom(block);
                    if (full.isPresent()) {
                        return full.get().ending();
                    }
                }
                case BlockClaims.Found.LimitReached(int owned) -> {
                    draft.explain(new LimitReached(owned, limit.blocksMax()));
                    messages.add(
                            "Need to allocate an IPAM block but could not - limit of %d blocks reached for this node"
                                    .formatted(limit.blocksMax()));
                    return Optional.of(new BlockRefusal.BlockLimit());
                }
                case BlockClaims.Found.Refused(var refusal) -> {
                    return Optional.of(refusal);
                }
            }
        }
        return Optional.empty();
    }

    private BlockClaims.Limit blockLimit() {
        int configured = draft.view().config().maxBlocksPerHost();
        int requested = request.maxBlocksPerHost();
        int limit = requested == 0 || (configured > 0 && requested > configured) ? configured : requested;
        return limit == 0 ? new BlockClaims.Limit(BLOCKS_PER_HOST_DEFAULT, false) : new BlockClaims.Limit(limit, true);
    }

    /// The handle has as much as it may have. What it has is given again, or nothing.
    private record HandleFull(Optional<BlockRefusal> ending) {}

    /// Gives what the block has, as far as the handle may have more.
    private Optional<HandleFull> takeFrom(Block stored) {
        var cidr = stored.cidr();
        int count =
                Math.min(missing(), draft.normalised(stored).free(draft.view().reservations()));
        if (count == 0) {
            draft.explain(new PassedOver(cidr, BlockRule.FULL));
            return Optional.empty();
        }
        if (capLeaves(count) < count) {
            return Optional.of(new HandleFull(giveWhatTheHandleHas()));
        }
        // Mending the handle may have rewritten the block.
        var current = draft.view().findBlock(cidr).orElseThrow();
        var block = draft.normalised(current);
        var grant = block.take(count, request.requester(), draft.view().reservations());
        if (request.requester().hasHandle()) {
            var handle = request.requester().handle();
            if (request.triedBefore(cidr)) {
                Handles.incrementOnce(draft, handle, block, count);
            } else {
                Handles.increment(draft, handle, cidr, count);
            }
        }
        draft.update(current, grant.after());
        draft.seam();
        grant.addresses().forEach(address -> leases.add(new AssignedAddress(address, cidr)));
        draft.explain(
                new TookFrom(stored.cidr(), stored.owner().map(Owner::toString).orElse("no owner"), count));
        return Optional.empty();
    }

    /// How many of the wanted addresses the handle may have besides those it has. A handle that counts
    /// too many is corrected before it is refused.
    private int capLeaves(int wanted) {
        if (request.maxPerHandle() == 0 || !request.requester().hasHandle()) {
            return wanted;
        }
        var id = request.requester().handle();
        int left = request.maxPerHandle() - counted(id);
        if (left < wanted) {
            draft.view().findHandle(id).ifPresent(handle -> Handles.mend(draft, handle, id));
            left = request.maxPerHandle() - counted(id);
        }
        return Math.min(left, wanted);
    }

    private int counted(String id) {
        return draft.view().findHandle(id).map(handle -> handle.total(family)).orElse(0);
    }

    private Optional<BlockRefusal> giveWhatTheHandleHas() {
        var id = request.requester().handle();
        List<Address> held = draft.view()
                .findHandle(id)
                .map(handle -> Handles.addresses(draft.view(), handle, id, family))
                .orElse(List.of());
        if (held.size() < ask.count()) {
            return because("handle %s has %d IPs allocated but requires %d (concurrent operation in progress)"
                    .formatted(id, held.size(), ask.count()));
        }
        draft.explain(new HandleHasEnough(id, request.maxPerHandle()));
        leases.clear();
        held.stream().limit(ask.count()).map(AssignedAddress::alone).forEach(leases::add);
        return Optional.empty();
    }

    private Optional<BlockRefusal> borrow(List<IpPool> usable) {
        if (draft.view().config().strictAffinity()) {
            messages.add("No more free affine blocks and strict affinity enabled");
            return Optional.empty();
        }
        var exhausted = new ArrayList<String>();
        for (var pool : usable) {
            var round = BlockClaims.Round.of(pool, owner, draft);
            if (round.isPresent()) {
                var full = borrowIn(round.get());
                if (full.isPresent()) {
                    return full.get().ending();
                }
            }
            if (missing() == 0) {
                return Optional.empty();
            }
            draft.explain(new Exhausted(pool.cidr()));
            exhausted.add(pool.cidr().toString());
        }
        messages.add("No IPs available in pools: [%s]".formatted(String.join(" ", exhausted)));
        return Optional.empty();
    }

    private Optional<HandleFull> borrowIn(BlockClaims.Round round) {
        var pool = round.pool();
        for (var stretch : round.stretches()) {
            var open = draft.view().findOpenBlock(pool, stretch.first());
            // Ends: each round begins after the block that the round before met.
            while (missing() > 0
                    && open.isPresent()
                    && stretch.contains(open.get().cidr().first())) {
                var full = takeFrom(open.get());
                if (full.isPresent()) {
                    return full;
                }
                var end = open.get().cidr().last();
                open = end.compareTo(pool.cidr().last()) >= 0
                        ? Optional.empty()
                        : draft.view().findOpenBlock(pool, end.next());
            }
        }
        return Optional.empty();
    }

    private static Optional<BlockRefusal> because(String sentence) {
        return Optional.of(new BlockRefusal.Because(sentence));
    }
}
