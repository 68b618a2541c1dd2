package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.release.HandleRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests at one time whose handles exist already, as the second interface of a pod has it, on a book
/// that takes handles for new until a write says otherwise.
abstract class SharedHandleContract {

    /// For pools, configuration and the like, by the batch and by the request before it, and for all
    /// handles.
    private static final int READINGS_MAX = 10;

    private final Datastore store = open();
    private final RecordingStore trial = new RecordingStore(store);
    private final AllocatorProcess allocator = new AllocatorProcess(new CalicoBook(
            trial, () -> AllocatorProcess.NOW, new NodeCache(Owner.host("node-a"), () -> AllocatorProcess.NOW)));

    /// An empty store, which is closed after the test.
    abstract Datastore open();

    @BeforeEach
    void pool() {
        AllocatorProcess.node(store, "node-a");
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void secondInterfacesOfManyPodsAreServedAfterOneConflict() throws Exception {
        var requests = new ArrayList<Callable<Object>>();
        for (int pod = 0; pod < 40; pod++) {
            var handle = "pod-" + pod;
            AllocatorProcess.on(store).assign("node-a", handle);
            requests.add(() -> allocator.assign("node-a", handle));
        }

        var outcomes = together(requests);

        assertThat(outcomes).doesNotHaveDuplicates().hasOnlyElementsOfType(Address.class);
        assertThat(commits()).isEqualTo(3);
    }

    /// An answer without a write is read for it, and makes the page forget what it began with.
    @Test
    void aRequestThatChangesNothingDoesNotMakeTheOthersForgetWhatTheyLearned() throws Exception {
        AllocatorProcess.on(store).assign("node-a", "one");
        AllocatorProcess.on(store).assign("node-a", "two");

        var outcomes = together(List.of(
                () -> allocator.assign("node-a", "one"),
                () -> allocator.assign("node-a", "two"),
                () -> allocator.releaseHandle("none")));

        assertThat(outcomes.subList(0, 2)).hasOnlyElementsOfType(Address.class);
        assertThat(outcomes.get(2)).isInstanceOf(HandleRelease.Refused.class);
        assertThat(commits()).isEqualTo(3);
    }

    @Test
    void aHandleThatCannotBeReadFailsWhoNeedsItAlone() throws Exception {
        AllocatorProcess.put(store, new CalicoKey.OfHandle("damaged").text(), "no JSON");

        var outcomes = together(List.of(
                () -> allocator.assign("node-a", "one"),
                () -> allocator.assign("node-a", "damaged"),
                () -> allocator.assign("node-a", "two")));

        assertThat(outcomes.get(0)).isInstanceOf(Address.class);
        assertThat(outcomes.get(1)).isInstanceOf(UnparsableEntryException.class);
        assertThat(outcomes.get(2)).isInstanceOf(Address.class);
    }

    @Test
    void releasesOfOneBatchReadTheirHandlesTogether() throws Exception {
        var requests = new ArrayList<Callable<Object>>();
        for (int pod = 0; pod < 40; pod++) {
            var handle = "pod-" + pod;
            AllocatorProcess.on(store).assign("node-a", handle);
            requests.add(() -> allocator.releaseHandle(handle));
        }
        allocator.assign("node-a", "before");
        trial.takeReadings();

        var outcomes = together(requests);

        assertThat(outcomes).hasOnlyElementsOfType(HandleRelease.Done.class);
        assertThat(trial.takeReadings()).isLessThanOrEqualTo(READINGS_MAX);
    }

    @Test
    void requestsThatFindNothingReadTogether() throws Exception {
        var requests = new ArrayList<Callable<Object>>();
        for (int pod = 0; pod < 40; pod++) {
            var handle = "pod-" + pod;
            requests.add(() -> allocator.releaseHandle(handle));
        }
        allocator.assign("node-a", "before");
        trial.takeReadings();

        var outcomes = together(requests);

        assertThat(outcomes).hasOnlyElementsOfType(HandleRelease.Refused.class);
        assertThat(trial.takeReadings()).isLessThanOrEqualTo(READINGS_MAX);
    }

    /// What cannot be asked for, and what cannot be understood, are read along with the rest.
    @Test
    void handlesThatCannotBeReadFailNoRelease() throws Exception {
        AllocatorProcess.put(store, new CalicoKey.OfHandle("damaged").text(), "no JSON");
        AllocatorProcess.on(store).assign("node-a", "one");
        AllocatorProcess.on(store).assign("node-a", "two");

        var outcomes = together(List.of(
                () -> allocator.releaseHandle("one"),
                () -> allocator.releaseHandle("damaged"),
                () -> allocator.releaseHandle("x".repeat(2000)),
                () -> allocator.releaseHandle("two")));

        assertThat(outcomes.get(0)).isInstanceOf(HandleRelease.Done.class);
        assertThat(outcomes.get(1)).isInstanceOf(UnparsableEntryException.class);
        assertThat(outcomes.get(2)).isInstanceOf(IllegalArgumentException.class);
        assertThat(outcomes.get(3)).isInstanceOf(HandleRelease.Done.class);
    }

    /// Commits since the requests began.
    private long commits() {
        return trial.takeCalls().stream()
                .filter(call -> call.startsWith("commit"))
                .count();
    }

    /// What the requests come to that are all decided in one batch, after another one's commit.
    private List<Object> together(List<Callable<Object>> requests) throws Exception {
        var committing = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        trial.beforeNextCommit(() -> {
            committing.countDown();
            awaitQuietly(proceed);
        });
        var outcomes = new ArrayList<Object>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var _ = threads.submit(() -> allocator.assign("node-a", "first"));
            committing.await();
            var answers = new ArrayList<Future<Object>>();
            for (var request : requests) {
                answers.add(threads.submit(request));
                while (allocator.waiting() < answers.size()) {
                    Thread.onSpinWait();
                }
            }
            proceed.countDown();
            for (var answer : answers) {
                outcomes.add(result(answer));
            }
        }
        return outcomes;
    }

    private static Object result(Future<Object> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            return Objects.requireNonNull(failed.getCause());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
