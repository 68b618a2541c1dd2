package io.cadastre.verification.simulation;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.ClaimRequest;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.EnsureRequest;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.engine.block.Use;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.verification.simulation.BlockWitness.Question;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// What one thread of a host asks. It has pods of its own and uses handles that others use too.
final class BlockScript implements Script<BlockOffice> {

    private static final int PODS = 2;

    /// How long pods are away that come back, in milliseconds: longer or shorter than a leak is watched.
    private static final long AWAY_MAX = 3000;

    private static final Duration AWAY = Duration.ofMillis(20);

    private final BlockSimulation simulation;
    private final String host;
    private final String name;
    private final SplittableRandom choices;
    private final BlockWitness witness;

    /// What pods of this script gave back, with the numbers of then.
    private final List<ReleaseOption> givenBack = new ArrayList<>();

    private int asked;
    private int generation;

    BlockScript(BlockSimulation simulation, String host, int thread, SplittableRandom choices) {
        this.simulation = simulation;
        this.host = host;
        this.name = "%s.%d".formatted(host, thread);
        this.choices = choices;
        this.witness = simulation.witness();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean finished() {
        return asked >= simulation.plan().requestsPerThread();
    }

    @Override
    public void perform(BlockOffice office) {
        while (!finished()) {
            asked++;
            int choice = choices.nextInt(30);
            if (choice < 8) {
                assign(office, ownPod(), true);
            } else if (choice < 10) {
                assign(office, shared(), false);
            } else if (choice < 12) {
                assignAddress(office, ownPod(), true);
            } else if (choice < 13) {
                assignAddress(office, shared(), false);
            } else if (choice < 15) {
                releaseByHandle(office, ownPod().handle(), true);
            } else if (choice < 16) {
                releaseByHandle(office, shared().handle(), false);
            } else if (choice < 18) {
                releaseAddress(office);
            } else if (choice < 20) {
                releaseAgain(office);
            } else if (choice < 21) {
                die();
            } else if (choice < 22) {
                claimOrConfigure(office);
            } else if (choice < 24) {
                giveUpBlocks(office);
            } else if (choice < 26) {
                tunnel(office);
            } else if (choice < 27) {
                ensureBlock(office);
            } else if (choice < 28) {
                removeHost(office);
            } else {
                releasePool(office);
            }
        }
        office.settleAccounts(() -> simulation.stage().owes(host));
    }

    /// The first thread of a host looks after its tunnel.
    private void tunnel(BlockOffice office) {
        var claimant = Tenants.tunnel(host);
        if (!name.endsWith(".1")) {
            assign(office, ownPod(), true);
        } else if (!witness.promisedTo(claimant.handle()).isEmpty() && choices.nextBoolean()) {
            releaseByHandle(office, claimant.handle(), true);
        } else {
            var request =
                    AssignRequest.on(host, Use.TUNNEL, simulation.instant())
                            .by(claimant)
                            .ipv4(Ask.of(1))
                            .withMaxPerHandle(1);
            assign(office, "assign tunnel of " + host, request, true);
        }
    }

    /// What a host keeps of each block for itself. Where the limit of blocks is checked nobody does,
    /// since it rules out pools with small blocks.
    private HostReserve hostReserve() {
        boolean windows =
                BlockWorld.windows(host) && simulation.plan().regime() != BlockPlan.Regime.LIMITED;
        return windows
                ? new HostReserve.Ends(1, 1, Attribute.WINDOWS_HANDLE, "windows host rsvd")
                : new HostReserve.None();
    }

    /// Whatever the limit of blocks.
    private void ensureBlock(BlockOffice office) {
        if (hostReserve() instanceof HostReserve.Ends) {
            var ask = Ask.of(0).reserving(hostReserve());
            var ask6 = choices.nextBoolean() ? ask : Ask.NOTHING;
            var request = new EnsureRequest(host, ask, ask6, simulation.instant());
            enact(
                    "ensure a block",
                    () -> office.enact("ensure", view -> BlockEngine.ensureBlock(view, request)));
        } else {
            assign(office, ownPod(), true);
        }
    }

    private void removeHost(BlockOffice office) {
        var now = simulation.instant();
        enact(
                "remove host",
                () ->
                        office.enact(
                                "remove host " + host,
                                view -> BlockAffinities.removeHost(view, Owner.host(host), now)));
    }

    private void releasePool(BlockOffice office) {
        var cidr = anyPool().cidr();
        var now = simulation.instant();
        enact(
                "release pool " + cidr,
                () ->
                        office.enact(
                                "release pool " + cidr,
                                view -> BlockAffinities.releasePool(view, cidr, now)));
    }

    private Claimant ownPod() {
        int number = choices.nextInt(PODS);
        return simulation
                .tenants()
                .pod("%s-%d-%d".formatted(name.replace('.', '-'), generation, number), host);
    }

    private Claimant shared() {
        var handle =
                switch (choices.nextInt(4)) {
                    case 0 -> "";
                    case 1 -> "shared";
                    default -> Tenants.SHARED_CAPPED;
                };
        return Tenants.shared(handle, simulation.instant());
    }

    private static int cap(Claimant claimant) {
        return claimant.handle().equals(Tenants.SHARED_CAPPED) ? Tenants.CAP : 0;
    }

    private void assign(BlockOffice office, Claimant claimant, boolean exclusive) {
        var request =
                AssignRequest.on(host, Use.WORKLOAD, simulation.instant())
                        .by(claimant)
                        .ipv4(Ask.of(choices.nextInt(1, 4)).reserving(hostReserve()))
                        .ipv6(Ask.of(choices.nextInt(3) == 0 ? 1 : 0).reserving(hostReserve()))
                        .withMaxPerHandle(cap(claimant));
        var words =
                "assign %d+%d to '%s'"
                        .formatted(
                                request.ipv4().count(), request.ipv6().count(), claimant.handle());
        assign(office, words, request, exclusive);
    }

    private void assign(
            BlockOffice office, String words, AssignRequest request, boolean exclusive) {
        var question = question(words, request.claimant().handle(), exclusive);
        answered(words, question, () -> office.assign(request))
                .ifPresent(answer -> witness.told(question, request, answer));
    }

    /// Who asks for an address by name gets its block, whatever the limit of blocks.
    private void assignAddress(BlockOffice office, Claimant claimant, boolean exclusive) {
        if (simulation.plan().regime() == BlockPlan.Regime.LIMITED) {
            return;
        }
        var request =
                AssignAddressRequest.of(addressFor(claimant), host, claimant, simulation.instant())
                        .forUse(Use.WORKLOAD)
                        .reserving(hostReserve())
                        .withMaxPerHandle(cap(claimant));
        var words = "assign %s to '%s'".formatted(request.address(), claimant.handle());
        var question = question(words, claimant.handle(), exclusive);
        answered(words, question, () -> office.assignAddress(request))
                .ifPresent(answer -> witness.told(question, request, answer));
    }

    private void releaseByHandle(BlockOffice office, String handle, boolean exclusive) {
        if (handle.isEmpty()) {
            return;
        }
        if (exclusive) {
            witness.promisedTo(handle).forEach(address -> remember(handle, address));
        }
        var words = "release all of " + handle;
        var question = question(words, handle, exclusive);
        var now = simulation.instant();
        answered(words, question, () -> office.releaseByHandle(handle, now))
                .ifPresent(answer -> witness.told(question, answer));
    }

    private ReleaseOption remember(String handle, Address address) {
        var option =
                ReleaseOption.of(address.toString())
                        .withHandle(handle)
                        .withSequence(witness.numberOf(address));
        givenBack.add(option);
        return option;
    }

    private void releaseAddress(BlockOffice office) {
        var pod = ownPod();
        var held = witness.promisedTo(pod.handle());
        if (held.isEmpty()) {
            return;
        }
        var option = remember(pod.handle(), held.first());
        release(office, option);
        if (choices.nextBoolean()) {
            // It gets back what it had, under another number, and the release comes once more.
            assignAddress(office, pod, true);
            release(office, option);
        }
    }

    /// A release that comes twice, as from a runtime that was not answered. Whoever has the address
    /// now must not notice.
    private void releaseAgain(BlockOffice office) {
        if (!givenBack.isEmpty()) {
            release(office, givenBack.get(choices.nextInt(givenBack.size())));
        }
    }

    private void release(BlockOffice office, ReleaseOption option) {
        var words = "release " + option;
        var question = question(words, option.handle(), true);
        var now = simulation.instant();
        answered(words, question, () -> office.release(List.of(option), now))
                .ifPresent(answer -> witness.told(question, option, answer));
    }

    /// All pods of this script are gone. Others come, or the same come back under their names.
    private void die() {
        if (simulation.plan().leaks()) {
            boolean comeBack = choices.nextBoolean();
            for (int number = 0; number < PODS; number++) {
                var handle = "%s-%d-%d".formatted(name.replace('.', '-'), generation, number);
                witness.ask(host, handle, true);
                simulation.tenants().die(handle);
            }
            if (comeBack) {
                simulation.stage().scheduler().pause(Duration.ofMillis(choices.nextLong(AWAY_MAX)));
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
            simulation
                    .tenants()
                    .pod("%s-%d-%d".formatted(name.replace('.', '-'), generation, number), host);
        }
    }

    private void claimOrConfigure(BlockOffice office) {
        if (simulation.plan().regime() == BlockPlan.Regime.LIMITED) {
            return;
        }
        if (choices.nextBoolean()) {
            var config = simulation.drawnConfig(choices);
            enact(
                    "configure " + config,
                    () -> office.enact("configure", view -> BlockSettings.configure(view, config)));
        } else {
            var request = new ClaimRequest(anyBlock(), Owner.host(host), simulation.instant());
            enact(
                    "claim " + request.cidr(),
                    () -> office.enact("claim", view -> BlockAffinities.claim(view, request)));
        }
    }

    private void giveUpBlocks(BlockOffice office) {
        var emptiness = choices.nextBoolean() ? Emptiness.REQUIRED : Emptiness.NOT_REQUIRED;
        var now = simulation.instant();
        switch (choices.nextInt(3)) {
            case 0 ->
                    enact(
                            "give up all blocks, emptiness " + emptiness,
                            () ->
                                    office.enact(
                                            "release host " + host,
                                            view ->
                                                    BlockAffinities.releaseHost(
                                                            view,
                                                            Owner.host(host),
                                                            emptiness,
                                                            now)));
            case 1 -> {
                var block = anyBlock();
                enact(
                        "give up %s, emptiness %s".formatted(block, emptiness),
                        () ->
                                office.enact(
                                        "release affinity " + block,
                                        view ->
                                                BlockAffinities.release(
                                                        view, block, host, emptiness, now)));
            }
            default -> {
                var block = anyBlock();
                enact(
                        "give up %s for whoever has it".formatted(block),
                        () ->
                                office.enact(
                                        "release block " + block,
                                        view ->
                                                BlockAffinities.releaseBlock(
                                                        view, block, emptiness, now)));
            }
        }
    }

    /// Any address, or one that the handle had before: it may get back what it gave back.
    private Address addressFor(Claimant claimant) {
        var former =
                givenBack.stream()
                        .filter(option -> option.handle().equals(claimant.handle()))
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
        simulation.stage().history().request(name, words);
        return witness.ask(host, handle, exclusive);
    }

    private <A> Optional<A> answered(String words, Question question, Supplier<A> asking) {
        var history = simulation.stage().history();
        try {
            var answer = asking.get();
            requireOn();
            history.event(name, words + " -> " + answer);
            return Optional.of(answer);
        } catch (UnsettledException unsettled) {
            history.event(name, words + " -> unsettled");
            requireOn();
            if (!unsettled.perhapsDone()) {
                witness.toldFailed(question);
            }
            witness.toldNothing(question);
        } catch (UnrecordedException done) {
            history.event(name, words + " -> unrecorded");
            requireOn();
            witness.toldNothing(question);
        } catch (DatastoreException failed) {
            history.event(name, words + " -> failed");
            requireOn();
            witness.toldFailed(question);
        }
        return Optional.empty();
    }

    /// A host that was switched off before its answer came has no pods that could hear it.
    private void requireOn() {
        if (simulation.stage().isOff(host)) {
            throw new Crash();
        }
    }

    /// Asks something about no handle.
    private void enact(String words, Supplier<?> asking) {
        answered(words, question(words, "", false), asking);
    }
}
