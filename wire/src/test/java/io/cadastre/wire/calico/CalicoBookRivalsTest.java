package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Survey;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.HandleRelease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes that know the store as it was, among rivals who act just before they commit, while
/// answers are lost.
class CalicoBookRivalsTest {

    private static final List<String> HOSTS = List.of("node-a", "node-b");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void noAddressIsGivenTwiceHoweverOldTheKnowledge(int group) {
        for (long seed = group * 10L; seed < group * 10L + 10; seed++) {
            new Trial(seed).run();
        }
    }

    /// One history.
    private static final class Trial {

        private final long seed;
        private final Random random;
        private final MemoryDatastore store = new MemoryDatastore();
        private final List<RecordingStore> trials = new ArrayList<>();
        private final List<AllocatorProcess> clients = new ArrayList<>();
        private final Map<String, Address> held = new HashMap<>();
        private final Set<Integer> busy = new HashSet<>();
        private int handles;

        Trial(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            for (var host : HOSTS) {
                AllocatorProcess.node(store, host);
            }
            AllocatorProcess.pool(store, "p", "10.0.0.0/26", 29);
            for (var host : HOSTS) {
                add(trial -> new CalicoBook(trial, () -> AllocatorProcess.NOW));
                // No watch feeds it, so that what it knows is as old as can be.
                add(trial -> new CalicoBook(
                        trial,
                        () -> AllocatorProcess.NOW,
                        new NodeCache(Owner.host(host), () -> AllocatorProcess.NOW)));
            }
            for (int step = 0; step < 60; step++) {
                act(random.nextInt(clients.size()), 2);
                survey();
            }
            store.close();
        }

        private void add(Function<RecordingStore, CalicoBook> book) {
            var trial = new RecordingStore(store);
            trials.add(trial);
            clients.add(new AllocatorProcess(book.apply(trial)));
        }

        /// An actor does not act while it acts already.
        private void act(int actor, int depth) {
            if (busy.add(actor)) {
                actAlone(actor, depth);
                busy.remove(actor);
            }
        }

        private void actAlone(int actor, int depth) {
            switch (random.nextInt(8)) {
                case 0 -> trials.get(actor).loseNextAnswer();
                case 1 -> trials.get(actor).loseNextRequest();
                case 2, 3 -> {
                    if (depth > 0) {
                        int rival = random.nextInt(clients.size());
                        trials.get(actor).beforeNextCommit(() -> act(rival, depth - 1));
                    }
                }
                default -> {}
            }
            if (random.nextInt(3) == 0 && !held.isEmpty()) {
                release(actor);
            } else {
                assign(actor);
            }
        }

        private void assign(int actor) {
            var handle = "h" + handles++;
            var assignment = clients.get(actor)
                    .assign(AllocatorProcess.request(HOSTS.get(actor / 2))
                            .by(Requester.of(handle))
                            .ipv4(Ask.of(1)));
            for (var address : assignment.addresses()) {
                assertThat(held.values()).as("seed %d", seed).doesNotContain(address);
                held.put(handle, address);
            }
        }

        private void release(int actor) {
            var handle = held.keySet().stream()
                    .sorted()
                    .skip(random.nextInt(held.size()))
                    .findFirst();
            var address = held.remove(handle.orElseThrow());
            var release = clients.get(actor).releaseHandle(handle.orElseThrow());
            assertThat(release).as("seed %d", seed).isEqualTo(new HandleRelease.Done(List.of(address)));
        }

        /// What is in the store makes sense, and agrees with the answers.
        private void survey() {
            var snapshot = CalicoSnapshot.NONE;
            var reader = new CalicoReader(store);
            for (var missing : List.of(
                    new BlockListing.OfPools(),
                    new BlockListing.OfReservations(),
                    new BlockListing.OfBlocks(Family.IPV4),
                    new BlockListing.OfBlocks(Family.IPV6),
                    new BlockListing.OfHandles())) {
                snapshot = snapshot.reading(missing, reader);
            }
            var holdings = BlockHoldings.of(snapshot.view());
            assertThat(Survey.of(holdings)).as("seed %d", seed).isEmpty();
            var endpoints = new HashMap<String, Address>();
            for (var holding : holdings) {
                if (holding.level() == Holding.Level.ENDPOINT) {
                    endpoints.put(
                            holding.holder().substring("handle/".length()),
                            holding.range().first());
                }
            }
            assertThat(endpoints).as("seed %d", seed).isEqualTo(held);
            assertThat(snapshot.view().handles())
                    .as("seed %d", seed)
                    .extracting(handle -> handle.id())
                    .containsExactlyInAnyOrderElementsOf(held.keySet());
        }
    }
}
