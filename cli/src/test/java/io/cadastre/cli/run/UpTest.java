package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.cni.doorbell.DoorbellProgram;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `cadastre up` as a process, and plugins that ring at it, each as a process.
@Timeout(300)
class UpTest {

    private static final int MANY = 200;
    private static final long PATIENCE_SECONDS = 120;

    /// At most [#MANY] plugins run at the same time, since a machine has a limited number of files and processes.
    private final Semaphore places = new Semaphore(MANY);

    private final List<RunningProcess> running = new ArrayList<>();

    @TempDir
    Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void installPlugins() {
        assumeTrue(DoorbellProgram.compiled().isPresent(), "no cc on the PATH");
        shell = Shell.at(home);
        var ended = shell.run(
                "cni",
                "install",
                "--bin-dir=" + home.resolve("bin"),
                "--conf-dir=" + home.resolve("net.d"),
                "--socket=" + socket(),
                "--spool=" + spool(),
                "--link=calico-ipam");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    @AfterEach
    void stopProcesses() {
        running.forEach(RunningProcess::close);
    }

    private Path socket() {
        return home.resolve("agent.sock");
    }

    private Path spool() {
        return home.resolve("spool");
    }

    /// Without a pool of its own.
    private RunningProcess up() throws IOException, InterruptedException {
        return up("--no-default-pool");
    }

    private RunningProcess up(String... more) throws IOException, InterruptedException {
        var process = start(more);
        process.awaitOut("Interrupt with Ctrl-C.");
        return process;
    }

    private RunningProcess start(String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main"));
        command.addAll(List.of("up", "--node=node-1", "--socket=" + socket(), "--spool=" + spool()));
        command.addAll(List.of(more));
        var process = RunningProcess.start(home, shell.environment(), command);
        running.add(process);
        return process;
    }

    private void applyPool() {
        var ended = shell.runPiping("""
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.244.0.0/16, blockSize: 26}
            """, "apply", "-f", "-");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    /// What a plugin printed and how it ended.
    private record Rung(int exitCode, String out) {

        String address() {
            assertThat(exitCode).as(out).isZero();
            return CniResult.parse(Bytes.ofUtf8(out)).ips().getFirst().address().toString();
        }
    }

    private Rung ring(String plugin, String verb, String container) {
        try {
            places.acquire();
            try {
                return run(plugin, verb, container);
            } finally {
                places.release();
            }
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }

    private Rung run(String plugin, String verb, String container) throws IOException, InterruptedException {
        return run(plugin, verb, container, "{\"cniVersion\": \"1.1.0\", \"name\": \"net\", \"ipam\": {}}");
    }

    private Rung run(String plugin, String verb, String container, String config)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(home.resolve("bin").resolve(plugin).toString()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "CNI_COMMAND",
                        verb,
                        "CNI_CONTAINERID",
                        container,
                        "CNI_NETNS",
                        "/var/run/netns/none",
                        "CNI_IFNAME",
                        "eth0",
                        "CNI_PATH",
                        home.resolve("bin").toString()));
        var process = builder.start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(Bytes.ofUtf8(config).toByteArray());
        }
        var out = Bytes.of(process.getInputStream().readAllBytes()).utf8();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Rung(process.exitValue(), out);
    }

    private static <T> List<T> atOnce(IntFunction<T> work) {
        return IntStream.range(0, MANY)
                .mapToObj(number -> CompletableFuture.supplyAsync(
                        () -> work.apply(number),
                        task -> Thread.ofPlatform().daemon().start(task)))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private long inUse() {
        var shown = shell.run("ipam", "show").out();
        var line =
                shown.lines().filter(row -> row.contains("IP Pool")).findFirst().orElseThrow();
        return Long.parseLong(line.split("\\|", -1)[4].strip().split(" ", -1)[0]);
    }

    @Test
    void agentWarmsUpOnAStoreThatIsThrownAway() throws Exception {
        var agent = up();
        applyPool();

        var address = ring("cadastre-ipam", "ADD", "c1").address();

        assertThat(address).startsWith("10.244.");
        assertThat(agent.err()).doesNotContain("warm-up");
        assertThat(shell.run("history", "-o", "wide").out()).contains("c1").doesNotContain("warm-up");
        try (var files = Files.list(home)) {
            assertThat(files).noneMatch(file -> file.toString().contains("warm-up"));
        }
    }

    @Test
    void whatHostLocalDecidesIsInTheHistory() throws Exception {
        up();
        var config = """
            {"cniVersion": "1.1.0", "name": "local", "ipam": {"type": "cadastre-ipam",
             "dialect": "host-local", "dataDir": "%s", "ranges": [[{"subnet": "10.7.0.0/24"}]]}}
            """.formatted(home.resolve("leases"));

        var added = run("cadastre-ipam", "ADD", "c1", config).address();
        var deleted = run("cadastre-ipam", "DEL", "c1", config);
        var history = shell.run("history", "--ip", "10.7.0.2", "--decisions", "-o", "wide");

        assertThat(added).isEqualTo("10.7.0.2/24");
        assertThat(deleted.exitCode()).as(deleted.out()).isZero();
        assertThat(history.out())
                .contains("cni add local/c1/eth0 by host-local")
                .contains("cni del local/c1/eth0 by host-local");
        assertThat(history.out().lines()).hasSize(3);
    }

    @Test
    void aNewStoreGetsAPoolAndCommandsToTryThatWork() throws Exception {
        var up = up(new String[0]);

        var tried =
                commandsToTry(up.out()).stream().map(words -> shell.run(words)).toList();
        var added = ring("cadastre-ipam", "ADD", "c1");
        up.interrupt();
        var ended = up.end();
        var again = up(new String[0]);
        var pools = shell.run("get", "ippools", "-o", "name");

        assertThat(tried)
                .hasSize(3)
                .allSatisfy(command ->
                        assertThat(command.exitCode()).as(command.err()).isZero());
        assertThat(added.address()).startsWith("10.77.");
        assertThat(ended.exitCode()).isEqualTo(130);
        assertThat(ended.err()).isEqualTo("cadastre: stopping\n");
        assertThat(again.out()).startsWith("node    node-1\n");
        assertThat(pools.out()).isEqualTo("ippool/default\n");
    }

    /// The words of the commands that it invites to paste, without the program's name.
    private static List<String[]> commandsToTry(String printed) {
        return printed.lines()
                .filter(line -> line.startsWith("  cadastre "))
                .map(line -> line.strip().substring("cadastre ".length()).split(" ", -1))
                .toList();
    }

    @Test
    void aPoolThatTheUserChoosesIsMadeOnlyInAStoreWithoutPools() throws Exception {
        var first = up("--default-pool=10.99.0.0/24");
        var added = ring("cadastre-ipam", "ADD", "c1");
        first.interrupt();
        first.end();

        up("--default-pool=10.98.0.0/24");
        var pools = shell.run("get", "ippools", "-o", "json");

        assertThat(added.address()).startsWith("10.99.0.");
        assertThat(pools.out()).contains("10.99.0.0/24").doesNotContain("10.98.0.0/24");
    }

    @Test
    void aStoreWithPoolsOfAnotherDialectGetsNoPool() throws Exception {
        var applied = shell.runPiping("""
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: shop}, spec: {subnet: 10.77.3.0/24, ips: [10.77.3.10]}}
            """, "apply", "-f", "-");

        up(new String[0]);

        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(shell.run("get", "ippools", "-o", "name").out()).isEmpty();
    }

    @Test
    void invalidCidrOfAPoolIsWrongUsage() {
        var ended = shell.run("up", "--default-pool=10.99.0.0");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: --default-pool '10.99.0.0' is not a CIDR such as ");
    }

    @Test
    void aSecondProcessOnTheSameDataDirectoryIsRefused() throws Exception {
        up();

        var ended = shell.run("up", "--socket=" + home.resolve("other.sock"));

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err())
                .isEqualTo(
                        "cadastre: another 'cadastre up' runs on %s; interrupt it, or name another directory with --data-dir%n"
                                .formatted(shell.dataDirectory()));
    }

    @Test
    void aNewStorePrintsWhatToApply() throws Exception {
        var up = up();

        var status = ring("cadastre-ipam", "STATUS", "");
        var refused = ring("cadastre-ipam", "ADD", "c1");
        applyPool();
        var added = ring("cadastre-ipam", "ADD", "c1");
        up.interrupt();
        var ended = up.end();

        assertThat(status).isEqualTo(new Rung(0, ""));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(added.address()).startsWith("10.244.");
        assertThat(ended.out())
                .startsWith("node    node-1\nstore   ")
                .contains("socket  " + socket())
                .contains("kind: IPPool");
        assertThat(ended.err()).isEqualTo("cadastre: stopping\n");
        assertThat(socket()).doesNotExist();
    }

    @Test
    void eachOfManyPodsGetsAnAddressOfItsOwnAndReleasesIt() throws Exception {
        up();
        applyPool();

        var addresses = atOnce(pod -> ring("calico-ipam", "ADD", "c" + pod).address());
        var again = atOnce(pod -> ring("calico-ipam", "ADD", "c" + pod).address());
        long held = inUse();
        var deleted = atOnce(pod -> ring("calico-ipam", "DEL", "c" + pod));

        assertThat(addresses).doesNotHaveDuplicates();
        assertThat(again).isEqualTo(addresses);
        assertThat(held).isEqualTo(MANY);
        assertThat(deleted).containsOnly(new Rung(0, ""));
        assertThat(inUse()).isZero();
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }

    @Test
    void aDelWithoutAnAgentIsDoneWhenOneComes() throws Exception {
        var first = up();
        applyPool();
        var address = ring("cadastre-ipam", "ADD", "c1").address();
        first.interrupt();
        first.end();

        var deleted = ring("cadastre-ipam", "DEL", "c1");
        var unanswered = ring("cadastre-ipam", "ADD", "c2");
        long heldMeanwhile = inUse();
        up();

        assertThat(address).startsWith("10.244.");
        assertThat(deleted).isEqualTo(new Rung(0, ""));
        assertThat(CniError.parse(Bytes.ofUtf8(unanswered.out())).is(CniCode.TRY_AGAIN_LATER))
                .isTrue();
        assertThat(heldMeanwhile).isEqualTo(1);
        assertThat(inUse()).isZero();
        try (var left = Files.list(spool())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aSecondOneIsRefused() throws Exception {
        up();

        var ended = shell.run("agent", "--node=node-1", "--socket=" + socket(), "--spool=" + spool());

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).isEqualTo("cadastre: another agent uses %s\n".formatted(socket()));
    }

    /// Calls as a kubelet makes them: a failed ADD is followed by a DEL until that succeeds, and then
    /// by another ADD with another sandbox.
    @Test
    void anAgentThatIsKilledDoublesAndLosesNothing() throws Exception {
        var dice = new SplittableRandom(20261115);
        var agent = up();
        applyPool();
        var held = new ArrayList<String>();
        var addresses = new ArrayList<String>();

        for (int round = 0; round < 4; round++) {
            var current = agent;
            int begin = round * MANY;
            int killed = dice.nextInt(MANY / 2);
            var results = atOnce(number -> {
                if (number == killed) {
                    kill(current);
                }
                return ring("cadastre-ipam", "ADD", "s" + (begin + number));
            });
            agent = up();
            for (int number = 0; number < MANY; number++) {
                var sandbox = "s" + (begin + number);
                if (results.get(number).exitCode() == 0) {
                    held.add(sandbox);
                    addresses.add(results.get(number).address());
                } else {
                    assertThat(ring("cadastre-ipam", "DEL", sandbox)).isEqualTo(new Rung(0, ""));
                }
            }
        }

        assertThat(addresses).doesNotHaveDuplicates();
        assertThat(inUse()).isEqualTo(held.size());
        var last = Stream.concat(held.stream(), Stream.of("unknown")).toList();
        for (var sandbox : last) {
            assertThat(ring("cadastre-ipam", "DEL", sandbox)).isEqualTo(new Rung(0, ""));
        }
        assertThat(inUse()).isZero();
    }

    private static void kill(RunningProcess process) {
        try {
            process.kill();
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }
}
