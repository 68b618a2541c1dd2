package io.cadastre.verification.simulation.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Request.Law;
import io.cadastre.verification.simulation.block.BlockClients.Books;
import io.cadastre.verification.simulation.runtime.AlteredJournal;
import io.cadastre.verification.simulation.runtime.AlteredStore;
import io.cadastre.verification.simulation.runtime.ProcessContext;
import io.cadastre.verification.simulation.runtime.SilentStore;
import io.cadastre.wire.calico.CalicoKeys;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Offices with the mistakes that allocators with blocks are known for.
final class PlantedBlockBugs {

    private PlantedBlockBugs() {}

    private static BlockClient clientOn(Datastore store, Books books, ProcessContext context) {
        return BlockClients.on(books.open(store), context);
    }

    /// Writes whatever is there.
    static BlockClient writingBlindly(Datastore store, Books books, ProcessContext context) {
        return clientOn(AlteredStore.blind(store), books, context);
    }

    /// Takes a lost answer for a failure and tells the caller that nothing was written.
    static BlockClient takingLostForFailed(Datastore store, Books books, ProcessContext context) {
        return clientOn(AlteredStore.certain(store), books, context);
    }

    /// Claims a block by writing it, be it there or not: the affinity alone is to tell whose it is.
    static BlockClient claimingWithoutArbiter(Datastore store, Books books, ProcessContext context) {
        var eager = new AlteredStore(
                store,
                writes -> store.commit(
                        writes.stream().map(write -> forced(store, write)).toList()));
        return clientOn(eager, books, context);
    }

    private static Write forced(Datastore store, Write write) {
        if (write instanceof Write.Create(var key, var value) && key.startsWith(CalicoKeys.BLOCKS)) {
            return store.get(key)
                    .<Write>map(it -> new Write.Update(key, value, it.revision()))
                    .orElse(write);
        }
        return write;
    }

    /// Counts a handle down in a commit of its own, and then writes the block.
    static BlockClient countingDownFirst(Datastore store, Books books, ProcessContext context) {
        return clientOn(new AlteredStore(store, writes -> commitHandlesFirst(store, writes)), books, context);
    }

    private static Commit commitHandlesFirst(Datastore store, List<Write> writes) {
        var revisions = new TreeMap<Integer, Long>();
        for (boolean handles : new boolean[] {true, false}) {
            var indexes = IntStream.range(0, writes.size())
                    .filter(index -> isHandle(writes.get(index)) == handles)
                    .toArray();
            if (indexes.length > 0) {
                switch (store.commit(
                        Arrays.stream(indexes).mapToObj(writes::get).toList())) {
                    case Commit.Done done -> {
                        for (int place = 0; place < indexes.length; place++) {
                            revisions.put(indexes[place], done.revisions().get(place));
                        }
                    }
                    case Commit.Conflict(var place, var kind) -> {
                        return new Commit.Conflict(indexes[place], kind);
                    }
                    case Commit.Unknown unknown -> {
                        return unknown;
                    }
                }
            }
        }
        return new Commit.Done(List.copyOf(revisions.values()));
    }

    private static boolean isHandle(Write write) {
        return write.key().startsWith(CalicoKeys.HANDLES);
    }

    /// Releases an address regardless of its holder and of the time it was assigned.
    static BlockClient releasingWithoutIdentity(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(
                real,
                real::assign,
                (options, now) -> real.release(
                        options.stream()
                                .map(option -> ReleaseOption.of(option.address()))
                                .toList(),
                        now));
    }

    /// Forgets what it tried before it was not answered, and gives other addresses besides.
    static BlockClient forgettingAttempts(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(
                real, request -> real.enact("assign", view -> BlockEngine.assign(view, request)), real::release);
    }

    /// Answers a request with a handle by all that the handle has, even if another request got it.
    static BlockClient tellingWhatTheHandleHas(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(
                real,
                request -> real.enact(
                        "assign",
                        (view, lost) -> alreadyHeld(view, request)
                                .orElseGet(() -> BlockEngine.assign(view, request.after(lost)))),
                real::release);
    }

    private static Optional<Decision<BlockChange, Assignment>> alreadyHeld(BlockView view, AssignRequest request) {
        if (!request.requester().hasHandle()) {
            return Optional.empty();
        }
        int count = request.ipv4().count();
        var leases = BlockQueries.addressesOf(view, request.requester().handle()).stream()
                .flatMap(List::stream)
                .filter(address -> address.family() == Family.IPV4)
                .limit(count)
                .map(address -> new AssignedAddress(address, new Prefix(address, 32)))
                .toList();
        if (leases.isEmpty() || leases.size() < count || request.ipv6().count() > 0) {
            return Optional.empty();
        }
        var share = new Assignment.Share(Family.IPV4, count, new HostReserve.None(), leases, List.of());
        return Optional.of(new Decision<>(new Assignment.Done(List.of(share)), List.of(), List.of()));
    }

    /// Takes the effect of its own unanswered attempt for that of another process.
    static BlockClient releasingForgetfully(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(
                real,
                real::assign,
                (options, now) ->
                        real.enact("release", view -> BlockEngine.release(view, options, Attempts.first(now))));
    }

    /// Gives pods what is meant for tunnels.
    static BlockClient minglingUses(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(real, request -> real.assign(withUse(request, AddressUse.TUNNEL)), real::release);
    }

    private static AssignRequest withUse(AssignRequest request, AddressUse use) {
        return AssignRequest.on(request.host(), use, request.now())
                .by(request.requester())
                .ipv4(request.ipv4())
                .ipv6(request.ipv6())
                .withMaxPerHandle(request.maxPerHandle());
    }

    /// Its clock is ahead, and what cools seems cold to it.
    static BlockClient hurrying(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(
                real,
                request -> real.assign(AssignRequest.on(
                                request.host(), request.use(), request.now().plusSeconds(10))
                        .by(request.requester())
                        .ipv4(request.ipv4())
                        .ipv6(request.ipv6())
                        .withMaxPerHandle(request.maxPerHandle())),
                real::release);
    }

    /// Takes what Windows keeps for itself for leaked, since there is no handle for it.
    static BlockClient collectingFromWindows(Datastore store, Books books, ProcessContext context) {
        var real = clientOn(store, books, context);
        return new Altered(
                real,
                request -> {
                    real.enact("collect", view -> BlockEngine.release(view, kept(view), Attempts.first(request.now())));
                    return real.assign(request);
                },
                real::release);
    }

    private static List<ReleaseOption> kept(BlockView view) {
        return view.blocks(Family.IPV4).stream()
                .flatMap(block -> block.addressesOf(Attribute.WINDOWS_HANDLE).stream())
                .map(address -> ReleaseOption.of(address.toString()))
                .toList();
    }

    /// Deletes the blocks of a pool with it, also those in use.
    static BlockClient deletingBlocksInUse(Datastore store, Books books, ProcessContext context) {
        return new Reckless(clientOn(store, books, context));
    }

    /// Does not see that a pool is disabled.
    static BlockClient givingFromDisabledPools(Datastore store, Books books, ProcessContext context) {
        return clientOn(
                AlteredStore.misreading(store, json -> json.replace("\"disabled\":true", "\"disabled\":false")),
                books,
                context);
    }

    /// Records its decisions in a journal that is never read.
    static BlockClient recordingElsewhere(Datastore store, Books books, ProcessContext context) {
        return clientOn(store, books, context.with(new MemoryJournal()));
    }

    /// Goes on as if nothing had happened when the ledger could not be written.
    static BlockClient ignoringTheLedger(Datastore store, Books books, ProcessContext context) {
        return clientOn(store, books, context.with(AlteredJournal.swallowing(context.journal())));
    }

    /// Writes into the ledger again when the answer was lost, without a look at what is there.
    static BlockClient recordingTwice(Datastore store, Books books, ProcessContext context) {
        return clientOn(store, books, context.with(AlteredJournal.insisting(context.journal())));
    }

    /// Watches, and does not listen.
    static BlockClient watchingWithoutListening(Datastore store, Books books, ProcessContext context) {
        return clientOn(new SilentStore(store), books, context);
    }

    /// A client that deletes a block when it loses its owner.
    private record Reckless(BlockClient client) implements BlockClient {

        @Override
        public Assignment assign(AssignRequest request) {
            return client.assign(request);
        }

        @Override
        public AddressAssignment assignAddress(AssignAddressRequest request) {
            return client.assignAddress(request);
        }

        @Override
        public Release release(List<ReleaseOption> options, Instant now) {
            return client.release(options, now);
        }

        @Override
        public HandleRelease releaseByHandle(String handle, Instant now) {
            return client.releaseByHandle(handle, now);
        }

        @Override
        public <O> O enact(String words, Law<BlockView, BlockChange, O> law) {
            return client.enact(words, (view, lost) -> {
                var decision = law.decide(view, lost);
                return words.startsWith("release pool")
                        ? new Decision<>(
                                decision.outcome(),
                                decision.changes().stream().map(Reckless::worse).toList(),
                                decision.because())
                        : decision;
            });
        }

        private static BlockChange worse(BlockChange change) {
            return change instanceof BlockChange.UpdateBlock(var seen, var _)
                    ? new BlockChange.DropBlock(seen)
                    : change;
        }
    }

    /// An office that does two things its own way.
    private record Altered(
            BlockClient client,
            Function<AssignRequest, Assignment> assigning,
            BiFunction<List<ReleaseOption>, Instant, Release> releasing)
            implements BlockClient {

        @Override
        public Assignment assign(AssignRequest request) {
            return assigning.apply(request);
        }

        @Override
        public AddressAssignment assignAddress(AssignAddressRequest request) {
            return client.assignAddress(request);
        }

        @Override
        public Release release(List<ReleaseOption> options, Instant now) {
            return releasing.apply(options, now);
        }

        @Override
        public HandleRelease releaseByHandle(String handle, Instant now) {
            return client.releaseByHandle(handle, now);
        }

        @Override
        public <O> O enact(String words, Law<BlockView, BlockChange, O> law) {
            return client.enact(words, law);
        }
    }
}
