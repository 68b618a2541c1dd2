package io.cadastre.agent.hostlocal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.AgentHome;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniVerb;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lock that every plugin takes before it looks into the folder.
class SharedLockTest {

    private static final String SUBNET = "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}]]";

    @TempDir
    Path dataDir;

    @Test
    void h20AddWaitsUntilTheLockIsGivenBack() throws Exception {
        var node = HostLocalNode.in(dataDir);
        var config = node.config("1.0.0", SUBNET);
        var answer = new CompletableFuture<CniAnswer>();

        try (var _ = Holder.of(node.write("lock", "").file("lock"))) {
            var caller = Thread.ofPlatform().start(() -> answer.complete(node.call(CniVerb.ADD, "pod", config)));
            // It waits for a moment between one try and the next.
            Awaitility.await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);

            assertThat(node.names()).containsExactly("lock");
            assertThat(answer).isNotDone();
        }

        assertThat(HostLocalNode.addresses(HostLocalNode.result(answer.get()))).containsExactly("10.1.2.2");
    }

    @Test
    void callerThatWaitsTooLongMustTryAgainAndHasChangedNothing() throws Exception {
        var node = new HostLocalNode(
                dataDir,
                new HostLocal(
                        Duration.ofMillis(30),
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(Instant.EPOCH),
                        AgentHome.of("a")));
        var config = node.config("1.0.0", SUBNET);

        try (var _ = Holder.of(node.write("lock", "").file("lock"))) {
            var refusal = node.refusal(CniVerb.ADD, "pod", config);

            assertThat(refusal.is(CniCode.TRY_AGAIN_LATER)).isTrue();
            assertThat(node.names()).containsExactly("lock");
        }
        assertThat(node.given("pod", config)).containsExactly("10.1.2.2");
    }

    @Test
    void callsOfOneAgentAndOfAnotherGetDifferentAddresses() throws Exception {
        var one = HostLocalNode.in(dataDir);
        var other = HostLocalNode.in(dataDir);
        var config = one.config("1.0.0", SUBNET);

        var given = new ArrayList<String>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<CniAnswer>>();
            for (int pod = 0; pod < 200; pod++) {
                var node = pod % 2 == 0 ? one : other;
                var container = "pod-" + pod;
                calls.add(executor.submit(() -> node.call(CniVerb.ADD, container, config)));
            }
            for (var call : calls) {
                given.addAll(HostLocalNode.addresses(HostLocalNode.result(call.get())));
            }
        }

        assertThat(given).hasSize(200).doesNotHaveDuplicates();
    }

    /// The program flock(1), which keeps the lock until its input ends.
    private record Holder(Process process) implements AutoCloseable {

        static Holder of(Path lock) throws IOException {
            assertThat(Files.exists(lock)).isTrue();
            var process = new ProcessBuilder("flock", lock.toString(), "sh", "-c", "echo held; cat").start();
            var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            assertThat(output.readLine()).isEqualTo("held");
            return new Holder(process);
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.onExit().join();
        }
    }
}
