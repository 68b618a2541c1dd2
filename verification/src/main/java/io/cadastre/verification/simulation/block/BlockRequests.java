package io.cadastre.verification.simulation.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.EnsureRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.verification.simulation.block.BlockWitness.Question;
import io.cadastre.verification.simulation.runtime.Crash;
import io.cadastre.verification.simulation.runtime.Reply;
import io.cadastre.verification.simulation.runtime.SimulatedThread;
import io.cadastre.verification.simulation.runtime.ThreadRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// What one thread of a host asks. It has pods of its own and uses handles that others use too.
final class BlockRequests implements ThreadRequests<BlockClient> {

    private static final int PODS = 2;

    /// How long pods are away that come back, in milliseconds: longer or shorter than a leak is watched.
    private static final long AWAY_MAX = 3000;

    private static final Duration AWAY = Duration.ofMillis(20);

    private final BlockSimulation simulation;
    private final String host;
    private final SimulatedThread thread;
    private final SplittableRandom choices;
    private final BlockWitness witness;

    /// What pods of this script gave back, with the numbers of then.
    private final List<ReleaseOption> givenBack = new ArrayList<>();

    private int generation;

    BlockRequests(BlockSimulation simulation, SimulatedThread thread) {
        this.simulation = simulation;
        this.host = thread.process();
        this.thread = thread;
        this.choices = thread.choices();
        this.witness = simulation.witness();
    }

    @Override
    public void askNext(BlockClient client) {
        int choice = choices.nextInt(30);
        if (choice < 8) {
            assign(client, ownPod(), true);
        } else if (choice < 10) {
            assign(client, shared(), false);
        } else if (choice < 12) {
            assignAddress(client, ownPod(), true);
        } else if (choice < 13) {
            assignAddress(client, shared(), false);
        } else if (choice < 15) {
            releaseByHandle(client, ownPod().handle(), true);
        } else if (choice < 16) {
            releaseByHandle(client, shared().handle(), false);
        } else if (choice < 18) {
            releaseAddress(client);
        } else if (choice < 20) {
            releaseAgain(client);
        } else if (choice < 21) {
            die();
        } else if (choice < 22) {
            claimOrConfigure(client);
        } else if (choice < 24) {
            giveUpBlocks(client);
        } else if (choice < 26) {
            tunnel(client);
        } else if (choice < 27) {
            ensureBlock(client);
        } else if (choice < 28) {
            removeHost(client);
        } else {
            releasePool(client);
        }
    }

    @Override
    public void end(BlockClient client) {
        client.settleAccounts(simulation.stage(), host);
    }

    /// The first thread of a host looks after its tunnel.
    private void tunnel(BlockClient client) {
        var requester = AddressUsers.tunnel(host);
        if (!thread.name().endsWith(".1")) {
            assign(client, ownPod(), true);
        } else if (!witness.promisedTo(requester.handle()).isEmpty() && choices.nextBoolean()) {
            releaseByHandle(client, requester.handle(), true);
        } else {
            var request = AssignRequest.on(host, AddressUse.TUNNEL, simulation.instant())
                    .by(requester)
                    .ipv4(Ask.of(1))
                    .withMaxPerHandle(1);
            assign(client, "assign tunnel of " + host, request, true);
        }
    }

    /// What a host reserves of each block. Where the limit of blocks is checked it reserves nothing, since
    /// a reserve rules out pools with small blocks.
    private HostReserve hostReserve() {
        boolean windows = BlockWorld.windows(host) && simulation.plan().regime() != BlockPlan.Regime.LIMITED;
        return windows
                ? new HostReserve.Ends(1, 1, Attribute.WINDOWS_HANDLE, "windows host rsvd")
                : new HostReserve.None();
    }

    /// Whatever the limit of blocks.
    private void ensureBlock(BlockClient client) {
        if (hostReserve() instanceof HostReserve.Ends) {
            var ask = Ask.of(0).reserving(hostReserve());
            var ask6 = choices.nextBoolean() ? ask : Ask.NOTHING;
            var request = new EnsureRequest(host, ask, ask6, simulation.instant());
            enact("ensure a block", () -> client.enact("ensure", view -> BlockEngine.ensureBlock(view, request)));
        } else {
            assign(client, ownPod(), true);
        }
    }

    private void removeHost(BlockClient client) {
        var now = simulation.instant();
        enact(
                "remove host",
                () -> client.enact(
                        "remove host " + host,
                        view -> BlockEngine.removeHost(view, Owner.host(host), Attempts.first(now))));
    }

    private void releasePool(BlockClient client) {
        var cidr = anyPool().cidr();
        var now = simulation.instant();
        enact(
                "release pool " + cidr,
                () -> client.enact(
                        "release pool " + cidr, view -> BlockEngine.releasePool(view, cidr, Attempts.first(now))));
    }

    /// That of one of its pods.
    private String handle(int number) {
        return "%s-%d-%d".formatted(thread.prefix(), generation, number);
    }

    private Requester ownPod() {
        int number = choices.nextInt(PODS);
        return simulation.tenants().pod(handle(number), host);
    }

    private Requester shared() {
        var handle =
                switch (choices.nextInt(4)) {
                    case 0 -> "";
                    case 1 -> "shared";
                    default -> AddressUsers.SHARED_CAPPED;
                };
        return AddressUsers.shared(handle, simulation.instant());
    }

    private static int cap(Requester requester) {
        return requester.handle().equals(AddressUsers.SHARED_CAPPED) ? AddressUsers.CAP : 0;
    }

    private void assign(BlockClient client, Requester requester, boolean exclusive) {
        var request = AssignRequest.on(host, AddressUse.WORKLOAD, simulation.instant())
                .by(requester)
                .ipv4(Ask.of(choices.nextInt(1, 4)).reserving(hostReserve()))
                .ipv6(Ask.of(choices.nextInt(3) == 0 ? 1 : 0).reserving(hostReserve()))
                .withMaxPerHandle(cap(requester));
        var words = "assign %d+%d to '%s'"
                .formatted(request.ipv4().count(), request.ipv6().count(), requester.handle());
        assign(client, words, request, exclusive);
    }

    private void assign(BlockClient client, String words, AssignRequest request, boolean exclusive) {
        var question = question(words, request.requester().handle(), exclusive);
        ask(words, question, () -> client.assign(request))
                .ifAnswered(answer -> witness.told(question, request, answer));
    }

    /// A request for one certain address gets its block, whatever the limit of blocks.
    private void assignAddress(BlockClient client, Requester requester, boolean exclusive) {
        if (simulation.plan().regime() == BlockPlan.Regime.LIMITED) {
            return;
        }
        var request = AssignAddressRequest.of(addressFor(requester), host, requester, simulation.instant())
                .forUse(AddressUse.WORKLOAD)
                .reserving(hostReserve())
                .withMaxPerHandle(cap(requester));
        var words = "assign %s to '%s'".formatted(request.address(), requester.handle());
        var question = question(words, requester.handle(), exclusive);
        ask(words, question, () -> client.assignAddress(request))
                .ifAnswered(answer -> witness.told(question, request, answer));
    }

    private void releaseByHandle(BlockClient client, String handle, boolean exclusive) {
        if (handle.isEmpty()) {
            return;
        }
        if (exclusive) {
            witness.promisedTo(handle).forEach(address -> remember(handle, address));
        }
        var words = "release all of " + handle;
        var question = question(words, handle, exclusive);
        var now = simulation.instant();
        ask(words, question, () -> client.releaseByHandle(handle, now))
                .ifAnswered(answer -> witness.told(question, answer));
    }

    private ReleaseOption remember(String handle, Address address) {
        var option = ReleaseOption.of(address.toString()).withHandle(handle).withSequence(witness.numberOf(address));
        givenBack.add(option);
        return option;
    }

    private void releaseAddress(BlockClient client) {
        var pod = ownPod();
        var held = witness.promisedTo(pod.handle());
        if (held.isEmpty()) {
            return;
        }
        var option = remember(pod.handle(), held.first());
        release(client, option);
        if (choices.nextBoolean()) {
            // It gets back what it had, under another number, and the release comes once more.
            assignAddress(client, pod, true);
            release(client, option);
        }
    }

    /// A release that comes twice, as from a runtime that was not answered. It must not affect the present
    /// holder of the address.
    private void releaseAgain(BlockClient client) {
        if (!givenBack.isEmpty()) {
            release(client, givenBack.get(choices.nextInt(givenBack.size())));
        }
    }

    private void release(BlockClient client, ReleaseOption option) {
        var words = "release " + option;
        var question = question(words, option.handle(), true);
        var now = simulation.instant();
        ask(words, question, () -> client.release(List.of(option), now))
                .ifAnswered(answer -> witness.told(question, option, answer));
    }

    /// All pods of this script are gone. Others come, or the same come back under their names.
    private void die() {
        if (simulation.plan().leaks()) {
            boolean comeBack = choices.nextBoolean();
            for (int number = 0; number < PODS; number++) {
                var handle = handle(number);
                witness.ask(host, handle, true);
                simulation.tenants().die(handle);
            }
            if (comeBack) {
                simulation.stage().rest(choices, AWAY_MAX);
                comeBack();
            } else {
                givenBack.clear();
                generation++;
            }
        }
    }

    /// Not while the collector, which has looked whether they are back, releases what they left behind.
    private void comeBack() {
        while (simulation.tenants().beingCollected()) {
            simulation.stage().scheduler().pause(AWAY);
        }
        if (simulation.stage().isOff(host)) {
            throw new Crash();
        }
        for (int number = 0; number < PODS; number++) {
            simulation.tenants().pod(handle(number), host);
        }
    }

    private void claimOrConfigure(BlockClient client) {
        if (simulation.plan().regime() == BlockPlan.Regime.LIMITED) {
            return;
        }
        if (choices.nextBoolean()) {
            var config = simulation.drawnConfig(choices);
            enact(
                    "configure " + config,
                    () -> client.enact("configure", view -> BlockSettings.configure(view, config)));
        } else {
            var request = new ClaimRequest(anyBlock(), Owner.host(host), simulation.instant());
            enact(
                    "claim " + request.cidr(),
                    () -> client.enact("claim", view -> BlockEngine.claimAffinity(view, request)));
        }
    }

    private void giveUpBlocks(BlockClient client) {
        var condition = choices.nextBoolean() ? ReleaseCondition.REQUIRED : ReleaseCondition.NOT_REQUIRED;
        var now = simulation.instant();
        switch (choices.nextInt(3)) {
            case 0 ->
                enact(
                        "give up all blocks, emptiness " + condition,
                        () -> client.enact(
                                "release host " + host,
                                view -> BlockEngine.releaseHost(
                                        view, Owner.host(host), condition, Attempts.first(now))));
            case 1 -> {
                var block = anyBlock();
                enact(
                        "give up %s, emptiness %s".formatted(block, condition),
                        () -> client.enact(
                                "release affinity " + block,
                                view -> BlockEngine.releaseAffinity(
                                        view, block, host, condition, Attempts.first(now))));
            }
            default -> {
                var block = anyBlock();
                enact(
                        "give up %s for any owner".formatted(block),
                        () -> client.enact(
                                "release block " + block,
                                view -> BlockEngine.releaseBlock(view, block, condition, now)));
            }
        }
    }

    /// Any address, or one that the handle had before: it may get back what it gave back.
    private Address addressFor(Requester requester) {
        var former = givenBack.stream()
                .filter(option -> option.handle().equals(requester.handle()))
                .map(option -> Address.parse(option.address()))
                .toList();
        return former.isEmpty() || choices.nextInt(3) == 0
                ? anyAddress(anyPool())
                : former.get(choices.nextInt(former.size()));
    }

    private Address anyAddress(BlockPlan.PoolPlan pool) {
        return pool.cidr().first().plus(choices.nextInt(pool.cidr().size().intValueExact()));
    }

    private Prefix anyBlock() {
        var pool = anyPool();
        return Prefix.containing(anyAddress(pool), pool.blockLength());
    }

    private BlockPlan.PoolPlan anyPool() {
        var pools = simulation.plan().pools();
        return pools.get(choices.nextInt(pools.size()));
    }

    private Question question(String words, String handle, boolean exclusive) {
        simulation.stage().history().request(thread.name(), words);
        return witness.ask(host, handle, exclusive);
    }

    private <A> Reply<A> ask(String words, Question question, Supplier<A> asking) {
        var reply = simulation.stage().ask(thread.name(), words, () -> {
            var answer = asking.get();
            requireOn();
            return answer;
        });
        requireOn();
        return reply.ifNothingDone(() -> witness.toldFailed(question))
                .ifUnfinished(() -> witness.toldNothing(question));
    }

    /// A host that was switched off before its answer came has no pods that could hear it.
    private void requireOn() {
        if (simulation.stage().isOff(host)) {
            throw new Crash();
        }
    }

    /// Asks something about no handle.
    private void enact(String words, Supplier<?> asking) {
        ask(words, question(words, "", false), asking);
    }
}
