package io.cadastre.verification.simulation;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Survey;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Lease;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.engine.block.Use;
import io.cadastre.engine.block.selector.SelectorText;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.calico.CalicoKeys;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Sees every state of the store and everything callers are told about blocks, and says when the two
/// disagree.
///
/// Four things must hold. Every state passes the surveys, and none gives an address to another without
/// a new number. Whatever a caller is told was so at some instant between his question and the answer,
/// and what he was given he was given by the rules of some such instant: rules are read and not
/// written, so nobody can be told off for one that changed a moment before. Whoever is told that his
/// request failed finds everything as it was. And what the only user of a handle was told stays so
/// until he asks again, to the address: he has all he was given and nothing that he was not told of.
///
/// A request may arrive at the store after its sender was answered otherwise. Then nothing is
/// promised, and only then.
final class BlockWitness {

    private static final Pattern POOLS_WITHOUT_ADDRESS =
            Pattern.compile("No IPs available in pools: \\[(.*)]");

    private static final Pattern SPACE = Pattern.compile(" ");

    /// Instants that actors are given differ from the scheduler's by less.
    private static final Duration INSTANTS_APART_MAX = Duration.ofMillis(1);

    private final Stage stage;
    private final BlockPlan plan;
    private final BlockWorld world;
    private final List<State> states = new ArrayList<>();
    private final Map<String, SortedSet<Address>> promised = new TreeMap<>();
    private final Map<String, Integer> caps = new TreeMap<>();

    /// For each host that found no end with a request, the state in which that was asked: for the next
    /// request its book begins with what was read for the last.
    private final Map<String, Integer> unsettledSince = new TreeMap<>();

    /// What the store held after the commit with this revision.
    private record State(long revision, Scene scene) {}

    /// Who holds what at one instant.
    ///
    /// @param holders the holder of each address, named as in a [Holding]
    /// @param owners the owner of each block, named as in a [Holding]
    private record Scene(
            BlockView view, SortedMap<Address, String> holders, SortedMap<Address, String> owners) {

        boolean lends(Address address, Owner borrower) {
            return owner(address).equals(borrower.toString());
        }

        boolean lentByNobody(Address address) {
            return holders.containsKey(address) && owner(address).isEmpty();
        }

        private String owner(Address address) {
            var upTo = owners.headMap(address.next());
            return upTo.isEmpty() ? "" : upTo.getOrDefault(upTo.lastKey(), "");
        }
    }

    /// What the only user of a handle has before he asks.
    sealed interface Before {

        record Known(SortedSet<Address> addresses) implements Before {}

        record Unknown() implements Before {}
    }

    /// A question under way.
    ///
    /// @param exclusive whether nobody else ever asks about the handle
    /// @param since the number of the state in which it was asked
    /// @param rulesSince the number of the state of which rules may still be applied
    /// @param late how many late requests about the handle there were
    record Question(
            String host,
            String handle,
            boolean exclusive,
            Before before,
            int since,
            int rulesSince,
            int late) {}

    BlockWitness(Stage stage, BlockPlan plan, BlockWorld world) {
        this.stage = stage;
        this.plan = plan;
        this.world = world;
        states.add(read());
        promised.put(
                BlockWorld.ANCIENT, new TreeSet<>(Collections.singleton(world.ancientAddress())));
    }

    private State read() {
        var view = world.everything();
        var holders = new TreeMap<Address, String>();
        var owners = new TreeMap<Address, String>();
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                var owner = block.owner().map(Owner::toString).orElse("");
                owners.put(block.cidr().first(), owner);
                for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                    if (block.attribute(ordinal).orElse(null) instanceof Held held) {
                        var address = block.address(ordinal);
                        holders.put(address, holder(held.cleanHandle(), address));
                    }
                }
            }
        }
        return new State(stage.store().list("", 1).revision(), new Scene(view, holders, owners));
    }

    private static String holder(String handle, Address address) {
        return handle.isEmpty() ? "address/" + address : "handle/" + handle;
    }

    int states() {
        return states.size();
    }

    /// Who holds what now.
    List<Holding> holdings() {
        return BlockHoldings.of(now().view());
    }

    private Scene now() {
        return states.getLast().scene();
    }

    // ---- every state ----

    /// Looks at the store after it changed.
    void look() {
        var before = now();
        states.add(read());
        var after = now();
        survey(after.view());
        checkNumbers(before.view(), after.view());
        checkKept(before.view(), after.view());
        checkCooling(before.view(), after.view());
        checkCaps(after.view());
        checkForeignFields();
        promised.forEach(
                (handle, addresses) -> {
                    var held = heldBy(after, handle);
                    if (!held.equals(addresses)) {
                        throw new AssertionError(
                                "%s was promised %s and holds %s"
                                        .formatted(handle, addresses, held));
                    }
                });
    }

    private static void survey(BlockView view) {
        var violations = BlockSurvey.of(view);
        if (!violations.isEmpty()) {
            throw new AssertionError(
                    "the survey of blocks found: " + violations.getFirst().sentence());
        }
        var overlaps = Survey.of(BlockHoldings.of(view));
        if (!overlaps.isEmpty()) {
            throw new AssertionError("the survey found: " + overlaps.getFirst().sentence());
        }
    }

    /// An address that changes hands gets a new number, since by that its releaser knows it.
    private static void checkNumbers(BlockView before, BlockView after) {
        for (var family : Family.values()) {
            for (var block : after.blocks(family)) {
                before.findBlock(block.cidr())
                        .filter(former -> !former.equals(block))
                        .ifPresent(former -> checkNumbers(former, block));
            }
        }
    }

    private static void checkNumbers(Block former, Block block) {
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            if (former.attribute(ordinal).orElse(null) instanceof Held one
                    && block.attribute(ordinal).orElse(null) instanceof Held other
                    && !one.cleanHandle().equals(other.cleanHandle())
                    && former.sequenceOf(ordinal) == block.sequenceOf(ordinal)) {
                throw new AssertionError(
                        "%s went from %s to %s and kept its number"
                                .formatted(
                                        block.address(ordinal),
                                        one.cleanHandle(),
                                        other.cleanHandle()));
            }
        }
    }

    /// What Windows keeps for itself is nobody's as long as its host has the block, and as long as the
    /// block is nobody's after that.
    private static void checkKept(BlockView before, BlockView after) {
        for (var family : Family.values()) {
            for (var former : before.blocks(family)) {
                after.findBlock(former.cidr())
                        .filter(block -> block.owner().equals(former.owner()))
                        .filter(block -> block.claimedAt().equals(former.claimedAt()))
                        .ifPresent(block -> checkKept(former, block));
            }
        }
    }

    private static void checkKept(Block former, Block block) {
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            if (keptByWindows(former, ordinal) && !keptByWindows(block, ordinal)) {
                throw new AssertionError(
                        "%s was kept by Windows and is no more".formatted(block.address(ordinal)));
            }
        }
    }

    private static boolean keptByWindows(Block block, int ordinal) {
        return block.attribute(ordinal).orElse(null) instanceof Held held && held.keptByWindows();
    }

    /// An address rests as long as is configured, where that does not change.
    private void checkCooling(BlockView before, BlockView after) {
        if (plan.regime() != BlockPlan.Regime.LIMITED) {
            return;
        }
        var now = stage.scheduler().instant().plus(INSTANTS_APART_MAX);
        var rest = Duration.ofSeconds(plan.config().cooldownSeconds());
        for (var family : Family.values()) {
            for (var former : before.blocks(family)) {
                for (int ordinal = 0; ordinal < former.size(); ordinal++) {
                    if (former.attribute(ordinal).orElse(null) instanceof Cooling(var since)
                            && now.isBefore(since.plus(rest))
                            && !cools(after, former.address(ordinal), since)) {
                        throw new AssertionError(
                                "%s rests since %s and did not rest for %s"
                                        .formatted(former.address(ordinal), since, rest));
                    }
                }
            }
        }
    }

    private static boolean cools(BlockView view, Address address, Instant since) {
        return block(view, address)
                .flatMap(block -> block.attribute(block.ordinal(address).orElseThrow()))
                .filter(new Cooling(since)::equals)
                .isPresent();
    }

    /// Whether whoever was answered knows what will be. Without transactions, nobody can keep a block from
    /// coming into being whose creation is late, when its host has claimed another one meanwhile; and a
    /// request that was refused after all may yet be served by a block that is late.
    private boolean arrivesInTime() {
        return plan.atomic() || !plan.weather().has(Fault.REQUEST_LATE);
    }

    /// Without transactions a block is announced before it is there, or turns out to be another's.
    private int blocksOf(BlockView view, Owner host, Family family) {
        return plan.atomic()
                ? view.affinitiesOf(host, family).size()
                : (int)
                        view.blocks(family).stream()
                                .filter(block -> block.owner().filter(host::equals).isPresent())
                                .count();
    }

    /// A handle may count more than its holder has, where the store has no transactions.
    private static int held(BlockView view, String handle, Family family) {
        return view.blocks(family).stream()
                .mapToInt(block -> block.ordinalsOf(handle).length)
                .sum();
    }

    /// No limit is exceeded, not by one and not for an instant.
    private void checkCaps(BlockView view) {
        for (var family : Family.values()) {
            caps.forEach(
                    (handle, cap) -> {
                        int count = held(view, handle, family);
                        if (count > cap) {
                            throw new AssertionError(
                                    "%s holds %d addresses, more than %d"
                                            .formatted(handle, count, cap));
                        }
                    });
            if (plan.regime() == BlockPlan.Regime.LIMITED && arrivesInTime()) {
                for (int number = 1; number <= BlockPlan.HOSTS; number++) {
                    var host = Owner.host(BlockWorld.host(number));
                    int blocks = blocksOf(view, host, family);
                    if (blocks > plan.config().maxBlocksPerHost()) {
                        throw new AssertionError(
                                "%s has %d blocks, more than %d"
                                        .formatted(host, blocks, plan.config().maxBlocksPerHost()));
                    }
                }
            }
        }
    }

    private void checkForeignFields() {
        for (var key : world.foreignKeys()) {
            boolean kept =
                    stage.store()
                            .get(key)
                            .filter(it -> it.value().utf8().contains(BlockWorld.FOREIGN))
                            .isPresent();
            if (!kept) {
                throw new AssertionError(key + " lost what somebody else wrote into it");
            }
        }
    }

    // ---- what callers are told ----

    /// Everybody who asks for this handle asks with this limit.
    void limit(String handle, int addressesMax) {
        caps.put(handle, addressesMax);
    }

    /// Notes that somebody asks about a handle.
    ///
    /// @param exclusive whether nobody else ever asks about it
    Question ask(String host, String handle, boolean exclusive) {
        var before = promised.remove(handle);
        int since = states.size() - 1;
        return new Question(
                host,
                handle,
                exclusive,
                before == null ? new Before.Unknown() : new Before.Known(before),
                since,
                Math.min(unsettledSince.getOrDefault(host, since), watchedSince(host)),
                stage.latePost().sent(CalicoKeys.HANDLES + handle).size());
    }

    /// The number of the state that a host still believes in which watches. What it is told late it
    /// applies late; what it writes it compares, but a rule it only reads.
    private int watchedSince(String host) {
        long upTo = stage.watchedUpTo(host).orElse(Long.MAX_VALUE);
        int number = states.size() - 1;
        while (number > 0 && states.get(number).revision() > upTo) {
            number--;
        }
        return number;
    }

    /// The request found no end, and nothing is known of what became of it.
    void toldNothing(Question question) {
        unsettledSince.putIfAbsent(question.host(), question.since());
    }

    void told(Question question, AssignRequest request, Assignment assignment) {
        var given = new TreeSet<Address>();
        for (var share : assignment.shares()) {
            for (var lease : share.leases()) {
                given.add(lease.address());
                requireGiven(question, request.host(), lease);
                requireOwn(question, request.claimant(), lease.address());
                if (newlyGiven(question, lease)) {
                    requireSelected(question, request, lease.address());
                }
            }
            if (share.leases().size() > share.requested()) {
                throw new AssertionError("more than asked for: " + share);
            }
            if (share.leases().isEmpty()) {
                share.messages().forEach(message -> requireExhausted(question, message));
            }
        }
        settle(question, given, Collections.emptySortedSet());
    }

    void told(Question question, AssignAddressRequest request, AddressAssignment assignment) {
        switch (assignment) {
            case AddressAssignment.Assigned(var lease) -> {
                requireGiven(question, request.host(), lease);
                requireOwn(question, request.claimant(), lease.address());
                requireUse(question, Use.WORKLOAD, lease.address());
                settle(
                        question,
                        new TreeSet<>(Collections.singleton(lease.address())),
                        Collections.emptySortedSet());
            }
            case AddressAssignment.Refused(var refusal) -> {
                if (refusal instanceof BlockRefusal.AlreadyAssigned(var address)
                        && !keptByAsker(request)) {
                    requireSometime(
                            question,
                            scene ->
                                    scene.holders().containsKey(address)
                                            || cools(scene.view(), address),
                            address + " is somebody's");
                }
                settle(question, Collections.emptySortedSet(), Collections.emptySortedSet());
            }
        }
    }

    /// Whoever asks for an address that he keeps for himself, in a block that there is not, is refused,
    /// and another request of the same commit may give the block up again.
    private boolean keptByAsker(AssignAddressRequest request) {
        return request.hostReserve() instanceof HostReserve.Ends(int first, int last, _, _)
                && plan.pools().stream()
                        .filter(pool -> pool.cidr().contains(request.address()))
                        .map(pool -> Prefix.containing(request.address(), pool.blockLength()))
                        .anyMatch(
                                block ->
                                        request.address().compareTo(block.first().plus(first)) < 0
                                                || request.address()
                                                                .plus(last)
                                                                .compareTo(block.last())
                                                        > 0);
    }

    /// Whoever releases by address names the holder and the number. If he is told that these are others
    /// now, he does not hold it either. But he is not told so if they were his when he asked, since then
    /// it was his own attempt that released it.
    void told(Question question, ReleaseOption option, Release release) {
        var address = Address.parse(option.address());
        if (release instanceof Release.Stopped(_, _, var refusal)
                && !(refusal instanceof BlockRefusal.Conflict)) {
            throw new AssertionError("not released: " + refusal.sentence());
        }
        requireSometime(
                question,
                scene -> !holds(scene, option),
                "%s is no more %s's (%s)".formatted(address, option.handle(), release));
        boolean released = holds(states.get(question.since()).scene(), option);
        boolean his = released && question.before() instanceof Before.Known;
        if (his && !release.equals(new Release.Done(List.of(), List.of(option)))) {
            throw new AssertionError(
                    "%s held %s and is told %s".formatted(question.handle(), address, release));
        }
        settle(
                question,
                Collections.emptySortedSet(),
                released
                        ? new TreeSet<>(Collections.singleton(address))
                        : Collections.emptySortedSet());
    }

    /// Whether the address is still held as the option says. Between the requests of one commit only
    /// the holder is known.
    private static boolean holds(Scene scene, ReleaseOption option) {
        var address = Address.parse(option.address());
        return holder(option.handle(), address).equals(scene.holders().get(address))
                && block(scene.view(), address)
                        .filter(block -> option.sequence().accepts(number(block, address)))
                        .isPresent();
    }

    private static Optional<Block> block(BlockView view, Address address) {
        return view.blocks(address.family()).stream()
                .filter(block -> block.cidr().contains(address))
                .findFirst();
    }

    private static long number(Block block, Address address) {
        return block.sequenceOf(block.ordinal(address).orElseThrow());
    }

    void told(Question question, HandleRelease release) {
        var holder = "handle/" + question.handle();
        requireSometime(
                question,
                scene -> !scene.holders().containsValue(holder),
                "it holds nothing (%s)".formatted(release));
        settle(question, held -> new TreeSet<>());
    }

    /// A failure says that nothing was written.
    void toldFailed(Question question) {
        settle(question, Collections.emptySortedSet(), Collections.emptySortedSet());
    }

    /// The number at which the address was given to its holder.
    long numberOf(Address address) {
        return block(now().view(), address)
                .map(block -> number(block, address))
                .orElseThrow(() -> new AssertionError(address + " is in no block"));
    }

    /// Whether it is known what the handle holds, and what.
    SortedSet<Address> promisedTo(String handle) {
        return promised.getOrDefault(handle, Collections.emptySortedSet());
    }

    void requireNothingHeldBy(Collection<String> handles) {
        for (var handle : handles) {
            var held = heldBy(now(), handle);
            if (!held.isEmpty()) {
                throw new AssertionError("%s is dead and holds %s".formatted(handle, held));
            }
        }
    }

    /// A host that is gone has no block in which nothing is.
    void requireNoEmptyBlocksOf(Collection<String> hosts) {
        for (var family : Family.values()) {
            for (var block : now().view().blocks(family)) {
                boolean owned = hosts.stream().map(Owner::host).anyMatch(block::ownedBy);
                if (owned && block.empty()) {
                    throw new AssertionError("its host is gone and it is empty: " + block);
                }
            }
        }
    }

    private void requireGiven(Question question, String host, Lease lease) {
        var address = lease.address();
        var holder = holder(question.handle(), address);
        requireSometime(
                question,
                scene -> holder.equals(scene.holders().get(address)),
                "it was told that it holds " + address);
        if (newlyGiven(question, lease)) {
            requireLawful(question, host, address);
        }
    }

    /// Whoever is told of an address has it by this very request, and nobody else was told of it: no
    /// two who ask with the same handle ask with the same attributes. A handle that has as much as it
    /// may have is told what it has, by whatever request.
    private void requireOwn(Question question, Claimant claimant, Address address) {
        if (toldOfOthers(question)) {
            return;
        }
        var attributes = new ArrayList<SortedMap<String, String>>();
        for (var state : states.subList(question.since(), states.size())) {
            block(state.scene().view(), address)
                    .flatMap(block -> block.attribute(block.ordinal(address).orElseThrow()))
                    .filter(Held.class::isInstance)
                    .map(Held.class::cast)
                    .filter(held -> held.cleanHandle().equals(question.handle()))
                    .ifPresent(held -> attributes.add(held.owner()));
        }
        // None at all if it was given and taken back by two requests of one commit.
        boolean own = attributes.isEmpty() || attributes.contains(claimant.attributes());
        require(question, own, "%s was given to it as %s".formatted(address, claimant));
    }

    private boolean toldOfOthers(Question question) {
        return !question.exclusive() && caps.containsKey(question.handle());
    }

    /// A handle that has as much as it may have is told what it has, and nobody can tell by whose rules
    /// that was given.
    private boolean newlyGiven(Question question, Lease lease) {
        var address = lease.address();
        var formerly = states.get(question.since()).scene().holders().get(address);
        return !toldOfOthers(question) && !holder(question.handle(), address).equals(formerly);
    }

    private void requireLawful(Question question, String host, Address address) {
        requireRule(
                question,
                scene -> enabledPool(scene.view(), address),
                "it was given %s of an enabled pool".formatted(address));
        boolean lent =
                sometime(question.rulesSince(), scene -> !scene.view().config().strictAffinity())
                        || sometime(
                                question.since(), scene -> scene.lends(address, Owner.host(host)))
                        || givenUpUnrecorded(question, address);
        if (!lent) {
            throw new AssertionError(
                    "%s: %s was borrowed although affinity was strict all the time"
                            .formatted(question.handle(), address));
        }
    }

    /// A block may be claimed and given up by two requests of one commit. If the answer to that commit
    /// was lost, the ledger does not have it, and nobody can tell whose the block was in between.
    private boolean givenUpUnrecorded(Question question, Address address) {
        return IntStream.range(question.since() + 1, states.size())
                .filter(number -> states.get(number).scene().lentByNobody(address))
                .anyMatch(number -> passing(number).isEmpty());
    }

    /// Who takes what comes gets nothing reserved and nothing of a pool that is not for his node.
    private void requireSelected(Question question, AssignRequest request, Address address) {
        requireRule(
                question,
                scene -> !scene.view().reservations().contains(address),
                address + " was not reserved");
        requireUse(question, request.use(), address);
        var view = now().view();
        var labels = view.findNode(request.host()).orElseThrow().labels();
        boolean selected =
                view.pools().stream()
                        .filter(pool -> pool.cidr().contains(address))
                        .allMatch(
                                pool ->
                                        pool.nodeSelector()
                                                        instanceof
                                                        SelectorText.Parsed(_, var selector)
                                                && selector.matches(labels));
        if (!selected) {
            throw new AssertionError(
                    "%s got %s of a pool that is not for it".formatted(request.host(), address));
        }
    }

    /// Nobody ever changes what a pool is for.
    private void requireUse(Question question, Use use, Address address) {
        boolean meant =
                plan.pools().stream()
                        .filter(pool -> pool.cidr().contains(address))
                        .allMatch(pool -> pool.uses().contains(use));
        require(question, meant, "%s is for use %s".formatted(address, use));
    }

    private void requireExhausted(Question question, String message) {
        var matcher = POOLS_WITHOUT_ADDRESS.matcher(message);
        if (matcher.find()) {
            for (var pool : SPACE.splitAsStream(matcher.group(1)).toList()) {
                var cidr = Prefix.parse(pool);
                requireSometime(
                        question,
                        scene ->
                                cidr.range()
                                        .addresses()
                                        .allMatch(
                                                address ->
                                                        scene.holders().containsKey(address)
                                                                || scene.view()
                                                                        .reservations()
                                                                        .contains(address)
                                                                || cools(scene.view(), address)),
                        "nothing is left in " + cidr);
            }
        }
    }

    private static boolean enabledPool(BlockView view, Address address) {
        return view.pools().stream()
                .anyMatch(pool -> pool.enabled() && pool.cidr().contains(address));
    }

    private static boolean cools(BlockView view, Address address) {
        return block(view, address)
                .flatMap(block -> block.attribute(block.ordinal(address).orElseThrow()))
                .isPresent();
    }

    private void settle(Question question, SortedSet<Address> given, SortedSet<Address> takenBack) {
        unsettledSince.remove(question.host());
        boolean wrote = !given.isEmpty() || !takenBack.isEmpty();
        if (!wrote && late(question).stream().anyMatch(it -> !mayBeBarred(it, question.handle()))) {
            // What was refused in the end may yet be done by an attempt that was late.
            return;
        }
        settle(
                question,
                held -> {
                    var expected = new TreeSet<>(held);
                    expected.addAll(given);
                    expected.removeAll(takenBack);
                    return expected;
                });
    }

    /// The late requests about the handle since the question.
    private List<List<Write>> late(Question question) {
        var sent = stage.latePost().sent(CalicoKeys.HANDLES + question.handle());
        return sent.subList(question.late(), sent.size());
    }

    /// Whoever is refused after such a request was late can see to it that it never arrives: it rewrites
    /// something that he can rewrite before, the handle or a block in which it gets something.
    private static boolean mayBeBarred(List<Write> late, String handle) {
        return late.stream()
                .anyMatch(
                        write ->
                                switch (write) {
                                    case Write.Create _ -> false;
                                    case Write.Update(var key, var value, _) ->
                                            key.equals(CalicoKeys.HANDLES + handle)
                                                    || (key.startsWith(CalicoKeys.BLOCKS)
                                                            && value.utf8()
                                                                    .contains(
                                                                            "\"%s\""
                                                                                    .formatted(
                                                                                            handle)));
                                    case Write.Delete(var key, _) ->
                                            key.equals(CalicoKeys.HANDLES + handle);
                                });
    }

    /// Whoever was given or has given back something has exactly what he was told of, also if an attempt
    /// before was late.
    private void settle(Question question, UnaryOperator<SortedSet<Address>> effect) {
        if (!question.exclusive()) {
            return;
        }
        var held = heldBy(now(), question.handle());
        if (question.before() instanceof Before.Known(var addresses)) {
            var expected = effect.apply(addresses);
            if (!held.equals(expected)) {
                throw new AssertionError(
                        "%s was told of %s and holds %s"
                                .formatted(question.handle(), expected, held));
            }
        }
        var key = CalicoKeys.HANDLES + question.handle();
        if (arrivesInTime() && !stage.latePost().threatens(key, stage.store())) {
            promised.put(question.handle(), held);
        }
    }

    private static SortedSet<Address> heldBy(Scene scene, String handle) {
        var addresses = new TreeSet<Address>();
        scene.holders()
                .forEach(
                        (address, holder) -> {
                            if (holder.equals("handle/" + handle)) {
                                addresses.add(address);
                            }
                        });
        return addresses;
    }

    // ---- instants ----

    private void requireSometime(Question question, Predicate<Scene> truth, String claim) {
        require(question, sometime(question.since(), truth), claim);
    }

    private void requireRule(Question question, Predicate<Scene> truth, String claim) {
        require(question, sometime(question.rulesSince(), truth), claim);
    }

    private static void require(Question question, boolean truth, String claim) {
        if (!truth) {
            throw new AssertionError(
                    "'%s': %s, and that was never so".formatted(question.handle(), claim));
        }
    }

    private boolean sometime(int asked, Predicate<Scene> truth) {
        int now = states.size() - 1;
        return states.subList(asked, now + 1).stream().map(State::scene).anyMatch(truth)
                || IntStream.rangeClosed(asked + 1, now)
                        .mapToObj(this::passing)
                        .flatMap(List::stream)
                        .anyMatch(truth);
    }

    /// Requests that were combined into one commit leave no state between them. Who held what after
    /// each of them is replayed from the ledger's entries with the revision of that commit.
    private List<Scene> passing(int number) {
        var scenes = new ArrayList<Scene>();
        var former = states.get(number - 1).scene();
        var holders = new TreeMap<>(former.holders());
        var owners = new TreeMap<>(former.owners());
        for (var recorded : stage.ledger().read(1, Journal.PAGE_RECORDS_MAX)) {
            var entry = recorded.entry();
            if (entry.revision() == states.get(number).revision()) {
                replay(entry, Level.ENDPOINT, holders);
                replay(entry, Level.NODE, owners);
                scenes.add(new Scene(former.view(), new TreeMap<>(holders), new TreeMap<>(owners)));
            }
        }
        return scenes;
    }

    private static void replay(Ledger.Entry entry, Level level, Map<Address, String> held) {
        entry.returned().stream()
                .filter(holding -> holding.level() == level)
                .forEach(holding -> held.remove(holding.range().first()));
        entry.granted().stream()
                .filter(holding -> holding.level() == level)
                .filter(holding -> holding.state() == Holding.State.HELD)
                .forEach(holding -> held.put(holding.range().first(), holding.holder()));
    }
}
