package io.cadastre.verification.simulation.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.wire.calico.CalicoKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Sees every state of the store and every answer to a caller about blocks, and fails when the two
/// disagree.
///
/// Four things must hold. Every state passes the surveys, and none gives an address to another holder
/// without a new number. Every answer was true at some instant between the question and the answer, and
/// what was given was given by the rules of some such instant: rules are read and not written, so a rule
/// that changed a moment before is not held against the process. A caller whose request failed finds
/// everything as it was. And the answer to the only user of a handle stays true until that user asks again,
/// to the address: it has all that it was given and nothing else.
///
/// A request may arrive at the store after its sender was answered otherwise. Then nothing is promised, and
/// only then.
final class BlockWitness {

    private final Simulation stage;
    private final BlockPlan plan;
    private final BlockHistory past;
    private final BlockLaws laws;
    private final BlockRules rules;
    private final Map<String, SortedSet<Address>> promised = new TreeMap<>();

    /// For each host that found no end with a request, the state in which that was asked: for the next
    /// request its book begins with what was read for the last.
    private final Map<String, Integer> unsettledSince = new TreeMap<>();

    /// What the only user of a handle has before it asks.
    sealed interface Before {

        record Known(SortedSet<Address> addresses) implements Before {}

        record Unknown() implements Before {}
    }

    /// A question under way.
    ///
    /// @param exclusive whether no other caller ever asks about the handle
    /// @param since the number of the state in which it was asked
    /// @param rulesSince the number of the state of which rules may still be applied
    /// @param late how many late requests about the handle there were
    record Question(
            String host, String handle, boolean exclusive, Before before, int since, int rulesSince, int late) {}

    BlockWitness(Simulation stage, BlockPlan plan, BlockWorld cluster) {
        this.stage = stage;
        this.plan = plan;
        this.past = new BlockHistory(stage, cluster);
        this.laws = new BlockLaws(stage, plan, cluster);
        this.rules = new BlockRules(past, plan);
        promised.put(BlockWorld.ANCIENT, new TreeSet<>(Collections.singleton(cluster.ancientAddress())));
    }

    int states() {
        return past.size();
    }

    /// The holdings now.
    List<Holding> holdings() {
        return past.holdings();
    }

    /// Looks at the store after it changed.
    void look() {
        var before = past.now();
        past.look();
        var after = past.now();
        laws.check(before, after, past.holdings());
        promised.forEach((handle, addresses) -> {
            var held = after.heldBy(handle);
            if (!held.equals(addresses)) {
                throw new AssertionError("%s was promised %s and holds %s".formatted(handle, addresses, held));
            }
        });
    }

    /// Every request for this handle has this limit.
    void limit(String handle, int addressesMax) {
        laws.limit(handle, addressesMax);
    }

    /// Notes that a host asks about a handle.
    ///
    /// @param exclusive whether no other caller ever asks about it
    Question ask(String host, String handle, boolean exclusive) {
        var before = promised.remove(handle);
        laws.asked(handle);
        int since = past.latest();
        return new Question(
                host,
                handle,
                exclusive,
                before == null ? new Before.Unknown() : new Before.Known(before),
                since,
                Math.min(unsettledSince.getOrDefault(host, since), watchedSince(host)),
                stage.latePost().sent(CalicoKeys.HANDLES + handle).size());
    }

    /// The number of the state that a watching host still assumes. It applies late what the watch reports
    /// late; it compares what it writes, but a rule it only reads.
    private int watchedSince(String host) {
        return past.latestUpTo(stage.watchedUpTo(host).orElse(Long.MAX_VALUE));
    }

    /// The request did not end, and its result is not known.
    void toldNothing(Question question) {
        unsettledSince.putIfAbsent(question.host(), question.since());
    }

    void told(Question question, AssignRequest request, Assignment assignment) {
        var given = new TreeSet<Address>();
        for (var share : assignment.shares()) {
            for (var lease : share.leases()) {
                given.add(lease.address());
                requireGiven(question, request.host(), lease);
                requireOwn(question, request.requester(), lease.address());
                if (newlyGiven(question, lease)) {
                    rules.requireSelected(question, request, lease.address());
                }
            }
            if (share.leases().size() > share.requested()) {
                throw new AssertionError("more than asked for: " + share);
            }
            if (share.leases().isEmpty()) {
                share.messages().forEach(message -> rules.requireExhausted(question, request, assignment, message));
            }
        }
        settle(question, given, Collections.emptySortedSet());
        requireBarred(question);
    }

    void told(Question question, AssignAddressRequest request, AddressAssignment assignment) {
        switch (assignment) {
            case AddressAssignment.Assigned(var lease) -> {
                requireGiven(question, request.host(), lease);
                requireOwn(question, request.requester(), lease.address());
                rules.requireUse(question, AddressUse.WORKLOAD, lease.address());
                settle(question, new TreeSet<>(Collections.singleton(lease.address())), Collections.emptySortedSet());
            }
            case AddressAssignment.Refused(var refusal) -> {
                if (refusal instanceof BlockRefusal.AlreadyAssigned(var address) && !keptByAsker(request)) {
                    rules.requireSometime(question, scene -> scene.taken(address), address + " is held");
                }
                settle(question, Collections.emptySortedSet(), Collections.emptySortedSet());
            }
        }
        requireBarred(question);
    }

    /// An answer is final: an attempt of the same request that is still under way has no effect any more,
    /// where that can be prevented.
    private void requireBarred(Question question) {
        if (!question.exclusive() || !plan.arrivesInTime()) {
            return;
        }
        for (var writes : late(question)) {
            if (mayBeBarred(writes, question.handle())
                    && stage.latePost().mayApply(writes, stage.store())
                    && !excludesItself(writes, question.handle())) {
                throw new AssertionError(
                        "%s has its answer, and an attempt may yet arrive: %s".formatted(question.handle(), writes));
            }
        }
    }

    /// A request for an address that its own host reserves, in a block that does not exist, is refused, and
    /// another request of the same commit may give the block up again.
    private boolean keptByAsker(AssignAddressRequest request) {
        return request.hostReserve() instanceof HostReserve.Ends(int first, int last, var _, var _)
                && plan.pools().stream()
                        .filter(pool -> pool.cidr().contains(request.address()))
                        .map(pool -> Prefix.containing(request.address(), pool.blockLength()))
                        .anyMatch(block ->
                                request.address().compareTo(block.first().plus(first)) < 0
                                        || request.address().plus(last).compareTo(block.last()) > 0);
    }

    /// A release by address names the holder and the number. If the answer is that these have changed, the
    /// caller does not hold the address either. But this must not be the answer if they were the caller's
    /// when it asked, since then its own attempt released the address.
    void told(Question question, ReleaseOption option, Release release) {
        var address = Address.parse(option.address());
        if (release instanceof Release.Stopped(var _, var _, var refusal)
                && !(refusal instanceof BlockRefusal.Conflict)) {
            throw new AssertionError("not released: " + refusal.sentence());
        }
        rules.requireSometime(
                question,
                scene -> !holds(scene, option),
                "%s is no more %s's (%s)".formatted(address, option.handle(), release));
        boolean released = holds(past.at(question.since()), option);
        boolean held = released && question.before() instanceof Before.Known;
        if (held && !release.equals(new Release.Done(List.of(), List.of(option)))) {
            throw new AssertionError("%s held %s and got the answer %s".formatted(question.handle(), address, release));
        }
        settle(
                question,
                Collections.emptySortedSet(),
                released ? new TreeSet<>(Collections.singleton(address)) : Collections.emptySortedSet());
    }

    /// Whether the address is still held as the option says. Between the requests of one commit only
    /// the holder is known.
    private static boolean holds(BlockState scene, ReleaseOption option) {
        var address = Address.parse(option.address());
        return scene.heldBy(option.handle(), address)
                && scene.findBlock(address)
                        .filter(block -> option.sequence().accepts(number(block, address)))
                        .isPresent();
    }

    void told(Question question, HandleRelease release) {
        var holder = "handle/" + question.handle();
        BlockRules.require(
                question,
                past.sometime(question.since(), scene -> !scene.holders().containsValue(holder))
                        || isReplacedByOneWrite(question, holder),
                "it holds nothing (%s)".formatted(release));
        settle(question, held -> new TreeSet<>());
    }

    /// Whether one write took back all that the holder had: where a store has no transactions, another request of the
    /// same commit may give it others by the same write of a block, so that it holds nothing in no state of the
    /// store.
    private boolean isReplacedByOneWrite(Question question, String holder) {
        return IntStream.rangeClosed(question.since() + 1, past.latest())
                .anyMatch(number ->
                        Collections.disjoint(heldIn(past.at(number - 1), holder), heldIn(past.at(number), holder)));
    }

    private static Set<Address> heldIn(BlockState scene, String holder) {
        return scene.holders().entrySet().stream()
                .filter(held -> held.getValue().equals(holder))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /// A failure says that nothing was written.
    void toldFailed(Question question) {
        settle(question, Collections.emptySortedSet(), Collections.emptySortedSet());
    }

    /// The number at which the address was given to its holder.
    long numberOf(Address address) {
        return past.now()
                .findBlock(address)
                .map(block -> number(block, address))
                .orElseThrow(() -> new AssertionError(address + " is in no block"));
    }

    private static long number(Block block, Address address) {
        return block.sequenceOf(block.ordinal(address).orElseThrow());
    }

    /// Whether it is known what the handle holds, and what.
    SortedSet<Address> promisedTo(String handle) {
        return promised.getOrDefault(handle, Collections.emptySortedSet());
    }

    void requireNothingHeldBy(Collection<String> handles) {
        for (var handle : handles) {
            var held = past.now().heldBy(handle);
            if (!held.isEmpty()) {
                throw new AssertionError("%s is dead and holds %s".formatted(handle, held));
            }
        }
    }

    /// A host that is gone has no block in which nothing is.
    void requireNoEmptyBlocksOf(Collection<String> hosts) {
        for (var block : past.now().blocks()) {
            boolean owned = hosts.stream().map(Owner::host).anyMatch(block::ownedBy);
            if (owned && block.empty()) {
                throw new AssertionError("its host is gone and it is empty: " + block);
            }
        }
    }

    private void requireGiven(Question question, String host, AssignedAddress lease) {
        var address = lease.address();
        rules.requireSometime(
                question,
                scene -> scene.heldBy(question.handle(), address),
                "its answer says that it holds " + address);
        if (newlyGiven(question, lease)) {
            rules.requireLawful(question, host, address);
        }
    }

    /// The caller has each address of the answer by this very request, and no other caller got it: no two
    /// requests with the same handle have the same attributes. A handle at its limit is answered with what
    /// it has, from any request.
    private void requireOwn(Question question, Requester requester, Address address) {
        if (toldOfOthers(question)) {
            return;
        }
        var attributes = new ArrayList<SortedMap<String, String>>();
        for (var scene : past.since(question.since())) {
            scene.findAttribute(address)
                    .filter(Held.class::isInstance)
                    .map(Held.class::cast)
                    .filter(held -> held.cleanHandle().equals(question.handle()))
                    .ifPresent(held -> attributes.add(held.owner()));
        }
        // None at all if it was given and taken back by two requests of one commit.
        boolean own = attributes.isEmpty() || attributes.contains(requester.attributes());
        BlockRules.require(question, own, "%s was given to it as %s".formatted(address, requester));
    }

    private boolean toldOfOthers(Question question) {
        return !question.exclusive() && laws.limited(question.handle());
    }

    /// A handle at its limit is answered with what it has, and the rules by which that was given are not
    /// known.
    private boolean newlyGiven(Question question, AssignedAddress lease) {
        return !toldOfOthers(question) && !past.at(question.since()).heldBy(question.handle(), lease.address());
    }

    private void settle(Question question, SortedSet<Address> given, SortedSet<Address> takenBack) {
        unsettledSince.remove(question.host());
        boolean wrote = !given.isEmpty() || !takenBack.isEmpty();
        if (!wrote && late(question).stream().anyMatch(it -> !mayBeBarred(it, question.handle()))) {
            // What was refused in the end may yet be done by an attempt that was late.
            return;
        }
        settle(question, held -> {
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

    /// A caller that is refused after such a request was late can prevent it from taking effect: the
    /// request rewrites something that the caller can rewrite before, the handle or a block in which it
    /// gets something.
    private static boolean mayBeBarred(List<Write> late, String handle) {
        return late.stream().anyMatch(write -> switch (write) {
            case Write.Create _ -> false;
            case Write.Update(var key, var value, var _) ->
                key.equals(CalicoKeys.HANDLES + handle)
                        || (key.startsWith(CalicoKeys.BLOCKS) && value.utf8().contains("\"%s\"".formatted(handle)));
            case Write.Delete(var key, var _) -> key.equals(CalicoKeys.HANDLES + handle);
        });
    }

    /// Whether a late request creates the handle and rewrites a block in which the handle has something:
    /// while the block is as the request needs it, the handle is there, since what it holds is taken out
    /// of the block first.
    private boolean excludesItself(List<Write> late, String handle) {
        boolean creates = late.stream()
                .anyMatch(write ->
                        write instanceof Write.Create(var key, var _) && key.equals(CalicoKeys.HANDLES + handle));
        return creates
                && late.stream()
                        .anyMatch(write -> write instanceof Write.Update(var key, var _, long revision)
                                && key.startsWith(CalicoKeys.BLOCKS)
                                && holds(key, revision, handle));
    }

    private boolean holds(String block, long revision, String handle) {
        return stage.store()
                .get(block)
                .filter(document -> document.revision() == revision
                        && document.value().utf8().contains("\"%s\"".formatted(handle)))
                .isPresent();
    }

    /// A caller that was given or has given back something has exactly what the answers say, also if an
    /// attempt before was late.
    private void settle(Question question, UnaryOperator<SortedSet<Address>> effect) {
        if (!question.exclusive()) {
            return;
        }
        var held = past.now().heldBy(question.handle());
        if (question.before() instanceof Before.Known(var addresses)) {
            var expected = effect.apply(addresses);
            if (!held.equals(expected)) {
                throw new AssertionError(
                        "%s got the answer %s and holds %s".formatted(question.handle(), expected, held));
            }
        }
        var key = CalicoKeys.HANDLES + question.handle();
        if (plan.arrivesInTime() && !stage.latePost().threatens(key, stage.store())) {
            promised.put(question.handle(), held);
        }
    }
}
