package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.registry.Book;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Eight processes on eight nodes at a pool of 64 addresses in four blocks, of which few are free at any
/// time. Every other one watches the store, as an agent does.
@Timeout(300)
abstract class CrowdedPoolContract {

    private static final int WRITERS = 8;

    /// AutoAssigns and releases of each.
    private static final int REQUESTS = 260;

    /// Each holds this many, or as many as it gets: together more than there are.
    private static final int HELD_MAX = 9;

    private final Datastore store = open();

    /// Who holds what, by what was answered. It is noted after it was given and before it is released.
    private final Map<Address, String> holders = new ConcurrentHashMap<>();

    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /// An empty store, which is closed after the test.
    abstract Datastore open();

    @BeforeEach
    void pool() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/26", 28);
        for (int writer = 0; writer < WRITERS; writer++) {
            AllocatorProcess.node(store, node(writer));
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void everyRequestIsSettledAndNoAddressHasTwoHolders() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var working = new ArrayList<Future<?>>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                working.add(threads.submit(() -> work(number)));
            }
            for (var one : working) {
                one.get();
            }
        }

        // The pool was full often, and not always.
        assertThat(given.get()).isGreaterThan(WRITERS * REQUESTS / 4);
        assertThat(refused.get()).isPositive();
        assertThat(allocated()).isEqualTo(holders.size());
    }

    private void work(int writer) {
        if (writer % 2 == 0) {
            work(writer, new CalicoBook(store, () -> AllocatorProcess.NOW));
            return;
        }
        try (var reflector =
                CalicoReflector.begin(store, Owner.host(node(writer)), () -> AllocatorProcess.NOW, Thread::sleep)) {
            work(writer, reflector.book());
        }
    }

    private void work(int writer, Book<BlockView, BlockChange> book) {
        var allocator = AllocatorProcess.amongRivals(book, writer);
        var dice = new Random(writer);
        var held = new ArrayDeque<Address>();
        for (int request = 0; request < REQUESTS; request++) {
            if (held.size() < HELD_MAX && (held.isEmpty() || dice.nextInt(3) > 0)) {
                assign(allocator, writer, request).ifPresent(held::add);
            } else {
                release(allocator, held.remove());
            }
        }
    }

    private Optional<Address> assign(AllocatorProcess allocator, int writer, int request) {
        var handle = "pod-%d-%d".formatted(writer, request);
        var assignment = allocator.assign(
                AllocatorProcess.request(node(writer)).by(Requester.of(handle)).ipv4(Ask.of(1)));
        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        var address = assignment.addresses().stream().findFirst();
        address.ifPresentOrElse(
                got -> {
                    given.incrementAndGet();
                    assertThat(holders.putIfAbsent(got, handle))
                            .as("holder of %s", got)
                            .isNull();
                },
                refused::incrementAndGet);
        return address;
    }

    private void release(AllocatorProcess allocator, Address address) {
        var handle = Objects.requireNonNull(holders.remove(address));
        assertThat(allocator.releaseHandle(handle)).isInstanceOf(HandleRelease.Done.class);
    }

    private long allocated() {
        return AllocatorProcess.stored(store, "/calico/ipam/v2/handle/").size();
    }

    private static String node(int writer) {
        return "node-" + writer;
    }
}
