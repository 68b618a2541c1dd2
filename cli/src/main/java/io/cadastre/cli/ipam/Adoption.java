package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.block.AddressAttributes;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.pool.AdoptRequest;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import io.cadastre.wire.survey.StoreSurvey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Assigns to holders what a store has as free, each in its dialect and by a request of its own. An interrupted
/// adoption starts over and finds what it has already assigned.
final class Adoption {

    /// The interface of a pod for which the ledger records none.
    private static final String INTERFACE = "eth0";

    private final CalicoSession ipam;
    private final CommandContext context;

    /// What is held: first as the store records it, then also by the claims that were accepted.
    private final Map<Range, Holding> held = new LinkedHashMap<>();

    private int addresses;
    private int nodeCidrs;
    private int conflicts;
    private int failures;

    Adoption(CalicoSession ipam, CommandContext context) {
        this.ipam = ipam;
        this.context = context;
        var store = ipam.session().datastore();
        holdings(blocks(store)).forEach(holding -> held.put(holding.range(), holding));
    }

    private List<Block> blocks(Datastore store) {
        return new IpamCheck(context).blocks(store);
    }

    private List<Holding> holdings(List<Block> blocks) {
        return StoreSurvey.holdings(ipam.session().datastore(), blocks).stream()
                .filter(holding -> holding.state() == State.HELD)
                .toList();
    }

    /// Records in the ledger where the store has other holders than the ledger. A ledger that was taken over
    /// may be ahead of the store: an address that it assigned and no source claims is free, and another
    /// holder may get it.
    void settle() {
        var session = ipam.session();
        var told = new LinkedHashMap<Holding, Holding>();
        for (var period :
                session.ledger().openPeriods(Ledger.Writers.ALL_RECORDED).periods()) {
            var holding = period.holding();
            if (LedgerComparison.isOfStore(holding) || isBlock(holding)) {
                told.put(withoutFacts(holding), holding);
            }
        }
        var blocks = blocks(session.datastore());
        var present = new LinkedHashMap<Holding, Holding>();
        holdings(blocks).forEach(holding -> present.put(withoutFacts(holding), holding));
        blocks.stream()
                .flatMap(block -> BlockHoldings.gained(Optional.empty(), Optional.of(block)).stream())
                .filter(Adoption::isBlock)
                .forEach(holding -> present.put(withoutFacts(holding), holding));
        var granted = new LinkedHashMap<>(present);
        granted.keySet().removeAll(told.keySet());
        told.keySet().removeAll(present.keySet());
        if (!granted.isEmpty() || !told.isEmpty()) {
            session.ledger()
                    .append(List.of(new Ledger.Entry(
                            ipam.now(),
                            "ipam adopt",
                            Fact.text("the store is accepted as it is"),
                            1,
                            0,
                            List.copyOf(granted.values()),
                            List.copyOf(told.values()),
                            List.of())));
        }
    }

    private static boolean isBlock(Holding holding) {
        return holding.level() == Level.NODE
                && holding.state() == State.HELD
                && holding.holder().startsWith(HolderClaim.HOST);
    }

    private static Holding withoutFacts(Holding holding) {
        return new Holding(holding.range(), holding.level(), holding.holder(), holding.state());
    }

    /// How many claims contradict the store or an earlier claim. The addresses they claim stay with their
    /// holders.
    int conflicts() {
        return conflicts;
    }

    /// The number of holders whose addresses could not be assigned and are therefore free.
    int failures() {
        return failures;
    }

    /// What was assigned, for a sentence.
    String words() {
        return nodeCidrs == 0
                ? "%d addresses".formatted(addresses)
                : "%d addresses and %d node CIDRs".formatted(addresses, nodeCidrs);
    }

    /// Of two claims to the same range, the first one wins.
    void adopt(List<HolderClaim> claims) {
        var nodes = new LinkedHashMap<String, List<HolderClaim>>();
        for (var claim : claims) {
            if (isMissing(claim)) {
                if (claim.holding().level() == Level.NODE) {
                    nodes.computeIfAbsent(claim.holding().holder(), _ -> new ArrayList<>())
                            .add(claim);
                } else {
                    give(claim);
                }
            }
        }
        nodes.values().forEach(this::giveCidrs);
    }

    private boolean isMissing(HolderClaim claim) {
        var other = Optional.ofNullable(held.get(claim.range()))
                .or(() -> findNode(claim))
                .filter(holding -> !claim.agrees(holding));
        if (other.isPresent()) {
            conflicts++;
            context.complain("%s is held by '%s', but %s says '%s': left unchanged"
                    .formatted(
                            claim.subject(),
                            HolderClaim.name(other.get()),
                            claim.source(),
                            HolderClaim.name(claim.holding())));
        }
        return other.isEmpty() && !held.containsKey(claim.range());
    }

    /// A node CIDR that overlaps that of another node.
    private Optional<Holding> findNode(HolderClaim claim) {
        return claim.holding().level() == Level.NODE
                ? held.values().stream()
                        .filter(holding -> holding.level() == Level.NODE)
                        .filter(holding -> holding.range().overlaps(claim.range()))
                        .findFirst()
                : Optional.empty();
    }

    private void give(HolderClaim claim) {
        var refusal = claim.holding().holder().startsWith(HolderClaim.POD) ? givePooled(claim) : giveOfBlock(claim);
        if (refusal.isEmpty()) {
            addresses++;
            given(claim);
        } else {
            failed(claim, refusal.get());
        }
    }

    private void given(HolderClaim claim) {
        held.put(claim.range(), claim.holding());
        context.out()
                .printf(
                        "%s is held by '%s' on %s, according to %s%n",
                        claim.subject(),
                        HolderClaim.name(claim.holding()),
                        claim.holding().facts().node(),
                        claim.source());
    }

    private void failed(HolderClaim claim, String refusal) {
        failures++;
        context.complain("%s cannot be assigned to '%s', its holder according to %s: %s"
                .formatted(claim.subject(), HolderClaim.name(claim.holding()), claim.source(), refusal.strip()));
    }

    private static String request(HolderClaim claim) {
        return "ipam adopt %s on %s"
                .formatted(claim.subject(), claim.holding().facts().node());
    }

    private Optional<String> giveOfBlock(HolderClaim claim) {
        var facts = claim.holding().facts();
        var attributes = new TreeMap<String, String>();
        attributes.put("node", facts.node());
        if (!facts.pod().isEmpty()) {
            attributes.put("pod", facts.pod());
            attributes.put("namespace", facts.namespace());
        }
        var holder = claim.holding().holder();
        var handle = holder.startsWith(HolderClaim.HANDLE) ? HolderClaim.name(claim.holding()) : "";
        var request = AssignAddressRequest.of(
                claim.range().first(), facts.node(), Requester.of(handle, attributes), ipam.now());
        Request<BlockView, BlockChange, AddressAssignment> adoption = new Request<>(
                request(claim), (view, earlier) -> BlockEngine.assignAddress(view, request.after(earlier)));
        return ipam.blocks().enact(adoption) instanceof AddressAssignment.Refused(var refusal)
                        && !isHeldBy(handle, claim.range().first())
                ? Optional.of(refusal.sentence())
                : Optional.empty();
    }

    /// Whether another adopting process was faster.
    private boolean isHeldBy(String handle, Address address) {
        return ipam.ask(view -> BlockQueries.attributesOf(view, address, ipam.now()))
                        instanceof AddressAttributes.Assigned(var held)
                && held.handle().equals(handle);
    }

    /// The holder is `pod/`, the namespace, the name and the uid.
    private Optional<String> givePooled(HolderClaim claim) {
        var parts = claim.holding().holder().split("/", -1);
        if (parts.length != 4) {
            return Optional.of("it does not name a pod with its namespace and uid");
        }
        var facts = claim.holding().facts();
        var request = new AdoptRequest(
                new PodKey(parts[1], parts[2]),
                parts[3],
                facts.node(),
                facts.networkInterface().isEmpty() ? INTERFACE : facts.networkInterface(),
                claim.range().first());
        var session = ipam.session();
        var pools = session.registrar(
                new SpiderBook(session.datastore(), session.context().clock()));
        var outcome = pools.enact(new Request<>(request(claim), view -> PoolEngine.adopt(view, request)));
        return outcome instanceof PoolAllocation.Refused(var refusal)
                ? Optional.of(refusal.sentence())
                : Optional.empty();
    }

    /// All CIDRs of a node in one request, since a node that has one gets no more.
    private void giveCidrs(List<HolderClaim> claims) {
        var session = ipam.session();
        var node = claims.getFirst().holding().holder().substring(HolderClaim.NODE.length());
        List<Prefix> cidrs = claims.stream()
                .flatMap(claim -> claim.range().prefixes().stream())
                .toList();
        var book = new NodeBook(
                session.datastore(),
                NodeBook.configFor(session.datastore(), cidrs),
                session.context().clock());
        var outcome = session.registrar(book)
                .enact(new Request<>(
                        request(claims.getFirst()), view -> NodeCidrEngine.adopt(view, new AddRequest(node), cidrs)));
        if (outcome instanceof NodeCidrAssignment.Refused(var refusal)) {
            claims.forEach(claim -> failed(claim, refusal.sentence()));
        } else {
            nodeCidrs += claims.size();
            claims.forEach(this::given);
        }
    }
}
