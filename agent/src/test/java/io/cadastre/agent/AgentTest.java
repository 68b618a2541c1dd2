package io.cadastre.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.Namespaces;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    /// An ADD of the container `slow`, or one whose name begins with `held`, waits for this.
    private final CountDownLatch patience = new CountDownLatch(1);

    /// What a DEL fails with, if with anything.
    private final AtomicReference<CniCode> delFailure = new AtomicReference<>(CniCode.UNKNOWN);

    @AfterEach
    void close() throws Exception {
        patience.countDown();
        for (var one : open.reversed()) {
            one.close();
        }
    }

    private Path socket() {
        return folder.resolve("agent.sock");
    }

    private Path spool() {
        return folder.resolve("spool");
    }

    private AgentSettings settings() {
        return AgentSettings.of(socket(), spool());
    }

    private Agent start(AgentSettings settings) {
        return start(settings, Thread.ofPlatform().daemon().factory());
    }

    private Agent start(AgentSettings settings, ThreadFactory threads) {
        Plugin trial = this::trial;
        var router = new PluginRouter(
                new ServedPlugins(
                        Map.of("trial", trial, "outer", new Outer()),
                        Map.of("calico", trial, "other", Plugin.of(named("other"))),
                        "calico"),
                _ -> Namespaces.Relation.OTHER,
                (call, error) -> events.add("refused %s: %s".formatted(call.variable("CNI_CONTAINERID"), error.msg())));
        var agent = Agent.start(settings, router, log::add, threads);
        open.add(agent);
        return agent;
    }

    private Agent start() {
        return start(settings());
    }

    private CniPlugin trial(Withdrawal withdrawal) {
        return CniPlugin.supporting(CniVersion.KNOWN)
                .onAdd(call -> {
                    withdrawal.add(() -> events.add("undo " + call.containerId()));
                    return add(call);
                })
                .onDel(this::del)
                .onStatus(_ -> {});
    }

    /// A plugin whose addresses come from a program that calls this agent.
    private final class Outer implements Plugin {

        @Override
        public CniPlugin forCall(Withdrawal withdrawal) {
            return CniPlugin.supporting(CniVersion.KNOWN)
                    .onAdd(call -> {
                        events.add("outer add " + call.containerId());
                        if (call.containerId().startsWith("held")) {
                            patience.await();
                        }
                        var inner = ring(CniVerb.ADD, call.containerId());
                        return CniResult.parse(inner.stdout());
                    })
                    .onDel(call -> {
                        events.add("outer del " + call.containerId());
                        ring(CniVerb.DEL, call.containerId());
                    });
        }

        @Override
        public boolean startsPrograms() {
            return true;
        }
    }

    private CniResult add(CniCall call) throws InterruptedException {
        events.add("add " + call.containerId());
        if (call.containerId().equals("slow")) {
            patience.await();
        }
        events.add("added " + call.containerId());
        return CniResult.ofAddresses(List.of(), List.of(), CniDns.NONE);
    }

    private void del(CniCall call) {
        var failure = delFailure.get();
        if (failure != CniCode.UNKNOWN) {
            events.add("failed " + call.containerId());
            throw new CniException(failure, "on purpose");
        }
        events.add("del " + call.containerId());
    }

    private static CniPlugin named(String name) {
        return CniPlugin.supporting(CniVersion.KNOWN).onStatus(_ -> {
            throw new CniException(CniCode.INTERNAL, name);
        });
    }

    private CniAnswer ring(CniVerb verb, String container) throws IOException {
        return Caller.ring(socket(), Caller.call(verb, container));
    }

    private void awaitEvent(String event) {
        await().atMost(AMPLE).until(() -> events.contains(event));
    }

    /// As a whole, like the doorbell: the agent may be looking.
    private Path leave(String name, Call call) throws IOException {
        Files.createDirectories(spool());
        var draft = spool().resolveSibling(name + ".draft");
        Files.write(draft, DoorbellFrame.encode(call).toByteArray());
        return Files.move(draft, spool().resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static CniError error(CniAnswer answer) {
        assertThat(answer.exitCode()).isEqualTo(1);
        return CniError.parse(answer.stdout());
    }

    // ---- the socket ----

    @Test
    void onlyItsOwnerMayOpenTheSocket() throws IOException {
        start();

        var permissions = Files.getPosixFilePermissions(socket());

        assertThat(PosixFilePermissions.toString(permissions)).isEqualTo("rw-------");
        assertThat(ring(CniVerb.ADD, "c1").exitCode()).isZero();
    }

    @Test
    void onlyItsOwnerMayTakeTheLock() throws IOException {
        var place = folder.resolve("run/cadastre/agent.sock");

        start(AgentSettings.of(place, spool()));

        assertThat(mode(place.resolveSibling("agent.sock.lock"))).isEqualTo("rw-------");
        assertThat(mode(folder.resolve("run/cadastre"))).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @CsvSource({"cadastre, rwx------", "run, rwxr-xr-x"})
    void aFolderThatIsThereIsClosedToOthersIfItIsTheAgentsOwn(String name, String mode) throws IOException {
        var existing = Files.createDirectory(folder.resolve(name));
        Files.setPosixFilePermissions(existing, PosixFilePermissions.fromString("rwxr-xr-x"));

        start(AgentSettings.of(existing.resolve("agent.sock"), spool()));

        assertThat(mode(existing)).isEqualTo(mode);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aLockThatAnotherUserMayHoldKeepsNoAgentFromStarting() throws IOException {
        var lock = folder.resolve("agent.sock.lock");
        Files.createFile(lock, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        try (var held = FileChannel.open(lock, StandardOpenOption.READ);
                var shared = held.lock(0, Long.MAX_VALUE, true)) {

            start();

            assertThat(shared.isValid()).isTrue();
            assertThat(mode(lock)).isEqualTo("rw-------");
            assertThat(ring(CniVerb.ADD, "c1").exitCode()).isZero();
        }
    }

    @Test
    void aSecondAgentIsRefused() throws IOException {
        start();

        assertThatThrownBy(this::start)
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("another agent uses " + socket());
        assertThat(ring(CniVerb.ADD, "c1").exitCode()).isZero();
    }

    @Test
    void aSecondAgentIsRefusedEvenIfTheLockWasLost() throws IOException {
        start();
        Files.delete(folder.resolve("agent.sock.lock"));

        assertThatThrownBy(this::start)
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("another agent answers on " + socket());
        assertThat(ring(CniVerb.ADD, "c1").exitCode()).isZero();
    }

    @Test
    void aSocketThatIsLeftOverIsReplaced() throws IOException {
        start().close();
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket()));
        }
        assertThat(socket()).exists();

        start();

        assertThat(ring(CniVerb.ADD, "c1").exitCode()).isZero();
    }

    @Test
    void fileThatIsNotASocketIsLeftAlone() throws IOException {
        Files.writeString(socket(), "precious");

        assertThatThrownBy(this::start).isInstanceOf(AgentException.class).hasMessageContaining("not a socket");
        assertThat(socket()).hasContent("precious");
    }

    @Test
    void aPathThatIsTooLongIsRefusedInASentence() {
        var settings = AgentSettings.of(folder.resolve("x".repeat(200)), spool());

        assertThatThrownBy(() -> start(settings))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("cannot listen on");
    }

    @Test
    void anAgentThatStopsFinishesCallsUnderWay() throws Exception {
        var agent = start();
        try (var caller = Caller.at(socket())) {
            caller.say(Caller.call(CniVerb.ADD, "slow"));
            awaitEvent("add slow");

            var stopping = CompletableFuture.runAsync(agent::close, Thread::startVirtualThread);
            await().atMost(AMPLE).until(() -> !Files.exists(socket()));
            boolean waits = !stopping.isDone();
            patience.countDown();
            var answer = caller.hear();
            stopping.join();

            assertThat(waits).isTrue();
            assertThat(answer.exitCode()).isZero();
            assertThat(events).doesNotContain("undo slow");
        }
    }

    // ---- callers ----

    @Test
    void callThatIsTooLargeIsRefusedInASentence() throws IOException {
        start();
        try (var caller = Caller.at(socket())) {

            var answer = caller.say("CAD1\177\0\0\0".getBytes(ISO_8859_1)).hear();

            assertThat(error(answer).is(CniCode.IO_FAILURE)).isTrue();
            assertThat(error(answer).msg()).contains("is larger than 8388608");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "CAD1\0\0\0\4abcd"})
    void bytesThatAreNotACallAreRefused(String bytes) throws IOException {
        start();
        try (var caller = Caller.at(socket())) {

            var answer = caller.say(bytes.getBytes(ISO_8859_1)).hear();

            assertThat(error(answer).is(CniCode.IO_FAILURE)).isTrue();
        }
    }

    @Test
    void whoSaysNothingIsHungUpOn() throws IOException {
        start(settings().within(SHORT));
        try (var caller = Caller.at(socket())) {

            assertThatThrownBy(caller::hear).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void callerBeyondTheLimitMustTryAgain() throws IOException {
        start(settings().withLimits(1, 0));
        try (var first = Caller.at(socket())) {
            first.say(Caller.call(CniVerb.ADD, "slow"));
            awaitEvent("add slow");

            CniAnswer refused;
            try (var second = Caller.at(socket())) {
                refused = second.hear();
            }
            patience.countDown();

            assertThat(error(refused).is(CniCode.TRY_AGAIN_LATER)).isTrue();
            assertThat(first.hear().exitCode()).isZero();
        }
    }

    @Test
    void callerWaitsWhileAllThreadsAreBusy() throws IOException {
        start(settings().withLimits(1, 1));
        try (var first = Caller.at(socket())) {
            first.say(Caller.call(CniVerb.ADD, "slow"));
            awaitEvent("add slow");
            try (var second = Caller.at(socket())) {
                second.say(Caller.call(CniVerb.ADD, "c2"));
                patience.countDown();

                assertThat(second.hear().exitCode()).isZero();
            }
            assertThat(events).containsExactly("add slow", "added slow", "add c2", "added c2");
        }
    }

    @Test
    void callsForOneContainerDoNotOvertakeEachOther() throws IOException {
        start();
        try (var adding = Caller.at(socket());
                var deleting = Caller.at(socket())) {
            adding.say(Caller.call(CniVerb.ADD, "slow"));
            awaitEvent("add slow");
            deleting.say(Caller.call(CniVerb.DEL, "slow"));
            ring(CniVerb.DEL, "other");

            patience.countDown();
            deleting.hear();

            assertThat(events).containsExactly("add slow", "del other", "added slow", "del slow");
        }
    }

    @Test
    void aCallOfAProgramThatAnotherCallStartedDoesNotWaitForThatCall() throws IOException {
        start(settings().within(Duration.ofSeconds(20)));
        var config = Caller.call(CniVerb.ADD, "c1").stdin().utf8();

        var added = Caller.ring(socket(), Caller.call("outer", CniVerb.ADD, "c1", config));
        var deleted = Caller.ring(socket(), Caller.call("outer", CniVerb.DEL, "c1", config));

        assertThat(added.exitCode()).as(added.stdout().utf8()).isZero();
        assertThat(deleted.exitCode()).isZero();
        assertThat(events).containsExactly("outer add c1", "add c1", "added c1", "outer del c1", "del c1");
    }

    @Test
    void callsThatStartProgramsLeaveRoomForTheCallsOfThesePrograms() throws IOException {
        start(settings().withLimits(2, 0).within(Duration.ofSeconds(20)));
        var config = Caller.call(CniVerb.ADD, "c1").stdin().utf8();
        try (var first = Caller.at(socket());
                var second = Caller.at(socket())) {
            first.say(Caller.call("outer", CniVerb.ADD, "held", config));
            second.say(Caller.call("outer", CniVerb.ADD, "held-too", config));
            awaitEvent("outer add held");
            awaitEvent("outer add held-too");

            var third = Caller.ring(socket(), Caller.call("outer", CniVerb.ADD, "c3", config));
            patience.countDown();

            assertThat(error(third).is(CniCode.TRY_AGAIN_LATER)).isTrue();
            assertThat(first.hear().exitCode()).isZero();
            assertThat(second.hear().exitCode()).isZero();
        }
    }

    @Test
    void callerWithoutAThreadIsHungUpOnAndTheNextCallerIsServed() throws IOException {
        var exhausted = new AtomicBoolean();
        start(settings(), work -> {
            if (exhausted.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Thread.ofPlatform().daemon().unstarted(work);
        });
        exhausted.set(true);

        try (var caller = Caller.at(socket())) {
            assertThatThrownBy(caller::hear).isInstanceOf(EOFException.class);
        }
        exhausted.set(false);

        assertThat(ring(CniVerb.ADD, "c1").exitCode()).isZero();
        assertThat(log).singleElement().asString().contains("no thread can be started");
    }

    @Test
    void aDelInTheSpoolIsNotDoneInTheMiddleOfTheCallThatItWaitsFor() throws IOException {
        start(settings().drainingEvery(AMPLE));
        var config = Caller.call(CniVerb.ADD, "held").stdin().utf8();
        try (var adding = Caller.at(socket())) {
            adding.say(Caller.call("outer", CniVerb.ADD, "held", config));
            awaitEvent("outer add held");
            var outer = leave("1.del", Caller.call("outer", CniVerb.DEL, "held", config));
            var inner = leave("2.del", Caller.call(CniVerb.DEL, "held"));

            patience.countDown();
            adding.hear();

            assertThat(outer).exists();
            assertThat(inner).doesNotExist();
            assertThat(events).containsExactly("outer add held", "del held", "add held", "added held");
        }
    }

    @Test
    void aCallThatTakesTooLongIsHungUpOnAndUndone() throws IOException {
        start(settings().within(SHORT));
        try (var caller = Caller.at(socket())) {
            caller.say(Caller.call(CniVerb.ADD, "slow"));

            assertThatThrownBy(caller::hear).isInstanceOf(EOFException.class);
            patience.countDown();

            awaitEvent("undo slow");
        }
    }

    @Test
    void anAddWhoseCallerIsGoneIsUndone() throws IOException {
        start();
        try (var caller = Caller.at(socket())) {
            caller.say(Caller.call(CniVerb.ADD, "slow"));
            awaitEvent("add slow");
        }

        patience.countDown();

        awaitEvent("undo slow");
        assertThat(log).anyMatch(line -> line.contains("left before the reply to ADD"));
    }

    @Test
    void aCallThatWaitedTooLongIsNotBegun() throws IOException {
        start(settings().within(SHORT));
        try (var first = Caller.at(socket())) {
            first.say(Caller.call(CniVerb.ADD, "slow"));
            awaitEvent("add slow");
            try (var second = Caller.at(socket())) {
                second.say(Caller.call(CniVerb.ADD, "slow"));
                assertThatThrownBy(second::hear).isInstanceOf(EOFException.class);
            }

            patience.countDown();

            awaitEvent("undo slow");
            ring(CniVerb.DEL, "slow");
            assertThat(events).containsOnlyOnce("add slow");
        }
    }

    // ---- who answers ----

    @Test
    void theDialectIsChosenByTheConfiguration() throws IOException {
        start();
        var config = "{\"cniVersion\": \"1.1.0\", \"name\": \"net\", \"ipam\": {\"dialect\": \"%s\"}}";

        var byDefault = Caller.ring(socket(), Caller.call("cadastre-ipam", CniVerb.STATUS, "", config.formatted("")));
        var other = Caller.ring(socket(), Caller.call("cadastre-ipam", CniVerb.STATUS, "", config.formatted("other")));
        var unknown =
                Caller.ring(socket(), Caller.call("cadastre-ipam", CniVerb.STATUS, "", config.formatted("latin")));

        assertThat(byDefault.exitCode()).isZero();
        assertThat(error(other).msg()).isEqualTo("other");
        assertThat(error(unknown).is(CniCode.UNSUPPORTED_FIELD)).isTrue();
        assertThat(error(unknown).sentence())
                .isEqualTo("ipam.dialect: 'latin' is not supported by this agent; supported: calico, other");
    }

    @Test
    void aPluginTypeThatTheAgentDoesNotServeIsRefused() throws IOException {
        start();

        var answer = Caller.ring(socket(), Caller.call("bridge", CniVerb.ADD, "c1", "{}"));

        assertThat(error(answer).is(CniCode.UNSUPPORTED_FIELD)).isTrue();
        assertThat(error(answer).msg()).contains("bridge");
        assertThat(events).containsExactly("refused c1: " + error(answer).msg());
    }

    @Test
    void thePluginReportsFaultsOfAConfiguration() throws IOException {
        start();

        var answer = Caller.ring(socket(), Caller.call("cadastre-ipam", CniVerb.ADD, "c1", "{"));

        assertThat(error(answer).is(CniCode.DECODING_FAILURE)).isTrue();
    }

    // ---- the spool ----

    @Test
    void theSpoolIsDrainedBeforeTheFirstCallIsAccepted() throws IOException {
        var entry = leave("1.del", Caller.call(CniVerb.DEL, "c1"));

        start();

        assertThat(events).containsExactly("del c1");
        assertThat(entry).doesNotExist();
    }

    /// Before that its program would wait for the agent, which would wait for the program.
    @Test
    void whatLiesInTheSpoolAndCallsTheAgentIsDoneAsSoonAsItAnswers() throws IOException {
        var config = Caller.call(CniVerb.DEL, "c1").stdin().utf8();
        var entry = leave("1.del", Caller.call("outer", CniVerb.DEL, "c1", config));

        start(settings().drainingEvery(AMPLE));

        awaitEvent("del c1");
        await().atMost(AMPLE).until(() -> !Files.exists(entry));
        assertThat(events).containsExactly("outer del c1", "del c1");
    }

    @Test
    void theSpoolIsDrainedWhileTheAgentRuns() throws IOException {
        start(settings().drainingEvery(Duration.ofMillis(10)));

        var entry = leave("1.del", Caller.call(CniVerb.DEL, "c1"));

        awaitEvent("del c1");
        await().atMost(AMPLE).until(() -> !Files.exists(entry));
    }

    @Test
    void aContainerThatIsAddedAgainIsDeletedFirst() throws IOException {
        start(settings().drainingEvery(AMPLE));
        var entry = leave("1.del", Caller.call(CniVerb.DEL, "c1"));
        var other = leave("2.del", Caller.call(CniVerb.DEL, "c2"));

        var answer = ring(CniVerb.ADD, "c1");

        assertThat(answer.exitCode()).isZero();
        assertThat(events).containsExactly("del c1", "add c1", "added c1");
        assertThat(entry).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void aContainerThatCannotBeDeletedYetIsNotAddedAgain() throws IOException {
        start(settings().drainingEvery(AMPLE));
        delFailure.set(CniCode.TRY_AGAIN_LATER);
        var entry = leave("1.del", Caller.call(CniVerb.DEL, "c1"));

        var answer = ring(CniVerb.ADD, "c1");

        assertThat(error(answer).is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(error(answer).msg()).contains("an earlier DEL of container c1");
        assertThat(events).containsExactly("failed c1");
        assertThat(entry).exists();
    }

    @Test
    void whatMustWaitHoldsUpItsOwnKindOnly() throws IOException {
        delFailure.set(CniCode.TRY_AGAIN_LATER);
        var first = leave("1.del", Caller.call(CniVerb.DEL, "c1"));
        var second = leave("2.del", Caller.call(CniVerb.DEL, "c2"));
        var other = leave(
                "3.del",
                Caller.call(
                        "cadastre-ipam",
                        CniVerb.DEL,
                        "c3",
                        "{\"cniVersion\":\"1.1.0\",\"name\":\"net\",\"ipam\":{\"dialect\":\"other\"}}"));

        start(settings().drainingEvery(AMPLE));

        assertThat(events).containsExactly("failed c1");
        assertThat(first).exists();
        assertThat(second).exists();
        assertThat(other).doesNotExist();
    }

    @Test
    void whatCanNeverBeDoneIsSetAside() throws IOException {
        delFailure.set(CniCode.INVALID_NETWORK_CONFIG);
        leave("1.del", Caller.call(CniVerb.DEL, "c1"));
        leave("2.del", Caller.call(CniVerb.ADD, "c2"));
        Files.writeString(spool().resolve("3.del"), "junk");
        Files.writeString(spool().resolve(".4"), "a draft");

        start();

        assertThat(events).containsExactly("failed c1");
        assertThat(spool().resolve("refused")).isDirectoryContaining("glob:**/1.del");
        assertThat(spool().resolve("refused")).isDirectoryContaining("glob:**/2.del");
        assertThat(spool().resolve("refused")).isDirectoryContaining("glob:**/3.del");
        assertThat(spool().resolve(".4")).exists();
        assertThat(log).hasSize(3);
    }

    @Test
    void spoolEntryThatIsNotARegularFileIsReportedOnceAndLeftAlone() throws Exception {
        var entry = leave("4.del", Caller.call(CniVerb.DEL, "c4"));
        var elsewhere = folder.resolve("elsewhere");
        Files.write(
                elsewhere, DoorbellFrame.encode(Caller.call(CniVerb.DEL, "c2")).toByteArray());
        var strange = List.of(
                pipe(spool().resolve("1.del")),
                Files.createSymbolicLink(spool().resolve("2.del"), elsewhere),
                Files.createDirectory(spool().resolve("3.del")));

        var agent = start(settings().drainingEvery(Duration.ofMillis(10)));
        leave("5.del", Caller.call(CniVerb.DEL, "c5"));
        awaitEvent("del c5");
        var added = ring(CniVerb.ADD, "c2");
        agent.close();

        assertThat(events).containsExactly("del c4", "del c5", "add c2", "added c2");
        assertThat(added.exitCode()).isZero();
        assertThat(entry).doesNotExist();
        assertThat(strange).allSatisfy(left -> assertThat(Files.exists(left)).isTrue());
        assertThat(log).hasSize(3).allSatisfy(line -> assertThat(line).contains("is ignored: only regular files"));
    }

    private static Path pipe(Path path) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        return path;
    }

    @Test
    void whatAnotherUserLeftIsNotDone() throws IOException {
        var entry = leave("1.del", Caller.call(CniVerb.DEL, "c1"));
        int user = (Integer) Files.getAttribute(spool(), "unix:uid");

        var contents = Spool.in(spool(), user).contents();

        assertThat(contents.own()).containsExactly(entry);
        assertThatThrownBy(() -> Spool.in(spool(), user + 1))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("the spool %s belongs to user %d".formatted(spool(), user))
                .hasMessageContaining("move the folder away");
    }

    @Test
    void spoolIsClosedToOthers() throws IOException {
        Files.createDirectory(spool());
        Files.setPosixFilePermissions(spool(), PosixFilePermissions.fromString("rwxrwxrwx"));

        start();

        assertThat(mode(spool())).isEqualTo("rwx------");
    }
}
