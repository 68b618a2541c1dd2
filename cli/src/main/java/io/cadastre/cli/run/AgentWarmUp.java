package io.cadastre.cli.run;

import io.cadastre.agent.AgentSettings;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.cni.doorbell.Doorbell;
import io.cadastre.cni.doorbell.DoorbellSettings;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CniVerb;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Runs calls through an agent on a temporary store, so that the first callers of the real agent do not wait for
/// classes to load and methods to compile.
final class AgentWarmUp {

    private static final Duration TIME_MAX = Duration.ofSeconds(3);

    /// More calls than the compiler's threshold for a method that each call uses once.
    private static final int PAIRS_MAX = 400;

    /// A file system in memory, so that only the processor limits the speed.
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    private static final String NODE = "warm-up";

    private static final String POOL = """
        {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"warm-up"},\
        "spec":{"cidr":"10.0.0.0/16","blockSize":26,"nodeSelector":"all()"}}\
        """;

    private static final byte[] NETWORK = """
        {"cniVersion":"1.0.0","name":"warm-up","type":"bridge","ipam":{"type":"cadastre-ipam"}}\
        """.getBytes(StandardCharsets.UTF_8);

    private AgentWarmUp() {}

    /// Begins no further call after three seconds. A failure is reported and otherwise ignored: the real agent
    /// works without it.
    static void run(CommandContext context) {
        try (var folder = WarmUpFolder.open(parent())) {
            answerSome(folder.path(), context);
        } catch (IOException | RuntimeException failed) {
            context.complain("the warm-up of the agent failed, so the first calls may be slow: " + failed);
        }
    }

    private static Path parent() {
        return Files.isWritable(IN_MEMORY) ? IN_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void answerSome(Path folder, CommandContext context) {
        var within = context.withEnvironment(Map.of("XDG_STATE_HOME", folder.toString()));
        var store = new StoreOptions();
        try (var session = Session.open(store, within)) {
            session.datastore()
                    .commit(List.of(new Write.Create(new CalicoKey.OfPool(NODE).text(), Bytes.ofUtf8(POOL))));
        }
        var places = DoorbellSettings.of(folder.resolve("agent.sock"), folder.resolve("spool"));
        var settings = AgentSettings.of(places.socket(), places.spool());
        new AgentRun(within, store, settings, NODE).serve(() -> {}, () -> call(places));
    }

    private static void call(DoorbellSettings places) {
        var doorbell = new Doorbell(places);
        long end = System.nanoTime() + TIME_MAX.toNanos();
        for (int pair = 0; pair < PAIRS_MAX && System.nanoTime() < end; pair++) {
            for (var verb : List.of(CniVerb.ADD, CniVerb.DEL)) {
                doorbell.ring(
                        "cadastre-ipam",
                        Map.of(
                                "CNI_COMMAND", verb.name(),
                                "CNI_CONTAINERID", "warm-up-" + pair,
                                "CNI_NETNS", "/none",
                                "CNI_IFNAME", "eth0",
                                "CNI_PATH", "/none"),
                        new ByteArrayInputStream(NETWORK));
            }
        }
    }
}
