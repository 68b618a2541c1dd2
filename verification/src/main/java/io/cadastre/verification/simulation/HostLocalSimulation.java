package io.cadastre.verification.simulation;

import io.cadastre.agent.AgentHome;
import io.cadastre.agent.CallService;
import io.cadastre.agent.PluginRouter;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.agent.Spool;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.datastore.Bytes;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.runtime.Crash;
import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.Namespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// An agent that gives the addresses of one node out of a folder to containers that come and go, while its
/// ledger fails, callers hang up and the process is killed and away for a while. A DEL that gets no answer
/// is left in the spool, as the plugin does. The folders are real ones, which are removed afterwards. One
/// seed is one history.
///
/// A container that was answered has the address of the answer, and keeps it. One that was refused, has
/// hung up or was deleted has none, as soon as the spool is drained. And the ledger records each change
/// once.
public final class HostLocalSimulation {

    public static final String DIALECT = "host-local";

    private static final String PLUGIN = "host-local";
    private static final String NETWORK = "net";
    private static final String SUBNET = "10.1.2.";
    private static final String LEDGER_FAILS = "the ledger cannot be written";
    private static final int TRIES_MAX = 200;
    private static final long PAUSE_MILLISECONDS_MAX = 300;
    private static final Duration LOCK_MAX = Duration.ofMinutes(1);

    private final Simulation stage;
    private final Path folder;
    private final Map<String, String> promised = new TreeMap<>();
    private final SortedSet<String> deleted = new TreeSet<>();
    private ProcessLife life;

    /// What answers calls while the agent runs.
    private @Nullable CallService agent;

    private boolean killed;
    private int calls;
    private int spooled;

    private HostLocalSimulation(long seed, Path folder) {
        var dice = new SplittableRandom(seed);
        this.stage = new Simulation(
                seed, DIALECT, dice, FaultRates.fairOrDrawn(dice.split()).withoutCrashes());
        this.folder = folder;
        this.life = new ProcessLife("agent");
        this.agent = begin(life);
    }

    private CallService begin(ProcessLife begun) {
        var plugin =
                new HostLocal(LOCK_MAX, new Ledger(stage.slowJournal(begun)), stage.scheduler(), AgentHome.of("node"));
        var router = new PluginRouter(
                new ServedPlugins(Map.of(PLUGIN, plugin), Map.of(PLUGIN, plugin), PLUGIN),
                _ -> Namespaces.Relation.OTHER,
                (_, _) -> {});
        // What it logs names folders that are others in each run.
        return new CallService(Spool.in(spool()), router, _ -> {});
    }

    private Path spool() {
        return folder.resolve("spool");
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        try {
            var folder = Files.createTempDirectory("cadastre-simulation");
            try {
                return new HostLocalSimulation(seed, folder).run();
            } finally {
                remove(folder);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Report run() {
        var dice = stage.splitDice();
        int threads = dice.nextInt(1, 5);
        for (int number = 1; number <= threads; number++) {
            var name = "pods-" + number;
            var choices = stage.splitDice();
            stage.startUser(name, () -> live(name, choices));
        }
        var drainDice = stage.splitDice();
        stage.startWorker("drain", () -> drain(drainDice));
        if (dice.nextInt(3) == 0) {
            var choices = stage.splitDice();
            stage.startWorker("reaper", () -> kill(choices));
        }
        return stage.run(this::checkLedger, () -> calls);
    }

    private void kill(SplittableRandom choices) {
        for (int number = choices.nextInt(1, 4); number > 0; number--) {
            rest(choices);
            rest(choices);
            stage.history().event("agent", "is killed");
            killed = true;
            life.end();
            agent = null;
            if (choices.nextBoolean()) {
                rest(choices);
            }
            stage.history().event("agent", "begins again");
            life = new ProcessLife("agent");
            var begun = begin(life);
            try {
                begun.drain(_ -> true);
            } catch (Crash crash) {
                stage.history().event("agent", "dies while it drains the spool");
            }
            agent = begun;
        }
    }

    /// What an agent does from time to time, until all scripts have ended and nothing is left to be done.
    private void drain(SplittableRandom choices) {
        for (int tries = 1;
                tries <= TRIES_MAX && (stage.anyUserAtWork() || !waiting().isEmpty());
                tries++) {
            rest(choices);
            var running = agent;
            if (running != null) {
                try {
                    running.drain(_ -> true);
                } catch (Crash crash) {
                    stage.history().event("agent", "dies while it drains the spool");
                }
            }
        }
    }

    private void rest(SplittableRandom choices) {
        stage.rest(choices, PAUSE_MILLISECONDS_MAX);
    }

    // ---- containers ----

    private void live(String name, SplittableRandom choices) {
        int containers = choices.nextInt(2, 8);
        for (int number = 1; number <= containers; number++) {
            var container = "%s-%d".formatted(name, number);
            rest(choices);
            boolean stays = add(container, choices) && choices.nextInt(4) == 0;
            // Some come back under their names.
            while (!stays) {
                rest(choices);
                delete(container, choices);
                if (choices.nextInt(3) > 0) {
                    break;
                }
                stays = add(container, choices) && choices.nextInt(4) == 0;
            }
        }
        // What is owed is written before anything else is done.
        for (int tries = 1; tries <= TRIES_MAX; tries++) {
            var answer = call(CniVerb.STATUS, "", Caller.STAYS);
            if (answer.isPresent() && !answer.get().stdout().utf8().contains(LEDGER_FAILS)) {
                break;
            }
            rest(choices);
        }
    }

    /// Whether it was answered, so that it need not be deleted.
    private boolean add(String container, SplittableRandom choices) {
        deleted.remove(container);
        boolean waits = waiting().contains(container);
        var caller = choices.nextInt(4) == 0 ? Caller.HANGS_UP : Caller.STAYS;
        var answer = call(CniVerb.ADD, container, caller);
        if (answer.isEmpty()) {
            return false;
        }
        if (answer.get().exitCode() != 0) {
            // It may still have what an earlier DEL, which is not done yet, is to take.
            if (!waits) {
                requireNothing(container, "was refused");
            }
            return false;
        }
        if (caller == Caller.HANGS_UP) {
            requireNothing(container, "hung up");
            return false;
        }
        var told = answer.get().stdout().utf8();
        var held = held(container);
        if (held.size() != 1 || !told.contains("\"%s/".formatted(held.getFirst()))) {
            throw new AssertionError("%s got the answer %s, and holds %s".formatted(container, told, held));
        }
        if (waiting().contains(container)) {
            throw new AssertionError("%s was added while its DEL waits in the spool".formatted(container));
        }
        promised.put(container, held.getFirst());
        return true;
    }

    private void delete(String container, SplittableRandom choices) {
        promised.remove(container);
        for (int tries = 1; tries <= TRIES_MAX; tries++) {
            var answer = call(CniVerb.DEL, container, Caller.STAYS);
            if (answer.isEmpty()) {
                leaveInSpool(container);
                deleted.add(container);
                return;
            }
            if (answer.get().exitCode() == 0) {
                requireNothing(container, "was deleted");
                deleted.add(container);
                return;
            }
            rest(choices);
        }
        throw new AssertionError(container + " cannot be deleted");
    }

    /// Whether a caller takes its answer.
    private enum Caller {
        STAYS,
        HANGS_UP
    }

    /// The answer, or nothing if no agent runs, or it was killed meanwhile.
    private Optional<CniAnswer> call(CniVerb verb, String container, Caller caller) {
        calls++;
        stage.history().request(container, verb.name());
        var serving = life;
        var running = agent;
        if (running == null) {
            stage.history().event(container, verb + " finds no agent");
            return Optional.empty();
        }
        var answers = new ArrayList<CniAnswer>();
        try {
            running.serve(frame(verb, container), new Withdrawal(), answer -> {
                answers.add(answer);
                if (caller == Caller.HANGS_UP) {
                    stage.history().event(container, "hung up");
                    throw new IOException("the caller is gone");
                }
            });
        } catch (Crash crash) {
            return Optional.empty();
        } catch (IOException gone) {
            // What was done is undone.
        }
        if (!serving.alive()) {
            return Optional.empty();
        }
        var answer = answers.getFirst();
        stage.history().event(container, "%s -> %d".formatted(verb, answer.exitCode()));
        requirePromised();
        return Optional.of(answer);
    }

    private Call frame(CniVerb verb, String container) {
        return new Call(PLUGIN, environment(verb, container), Bytes.ofUtf8(config()));
    }

    /// As the plugin does whose DEL gets no answer.
    private void leaveInSpool(String container) {
        stage.history().event(container, "DEL is left in the spool");
        var entry = spool().resolve("%06d.del".formatted(++spooled));
        try {
            Files.write(
                    entry, DoorbellFrame.encode(frame(CniVerb.DEL, container)).toByteArray());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /// The containers whose DEL lies in the spool.
    private SortedSet<String> waiting() {
        var containers = new TreeSet<String>();
        try (var entries = Files.newDirectoryStream(spool(), "*.del")) {
            for (var entry : entries) {
                try (var bytes = Files.newInputStream(entry)) {
                    containers.add(DoorbellFrame.readCall(bytes).variable("CNI_CONTAINERID"));
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return containers;
    }

    private static SortedMap<String, String> environment(CniVerb verb, String container) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_PATH", "/opt/cni/bin");
        if (!container.isEmpty()) {
            environment.put("CNI_CONTAINERID", container);
            environment.put("CNI_IFNAME", "eth0");
            environment.put("CNI_NETNS", "/run/netns/" + container);
        }
        return environment;
    }

    private String config() {
        return """
            {"cniVersion":"1.1.0","name":"%s","type":"host-local","ipam":{"type":"host-local","dataDir":"%s",\
            "ranges":[[{"subnet":"%s0/28"}]]}}\
            """.formatted(NETWORK, folder.resolve("networks"), SUBNET);
    }

    // ---- what must hold ----

    /// The addresses of a container, by the files of the folder.
    private List<String> held(String container) {
        return holders().entrySet().stream()
                .filter(entry -> entry.getValue().equals(container))
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<String, String> holders() {
        var holders = new TreeMap<String, String>();
        var network = folder.resolve("networks").resolve(NETWORK);
        if (!Files.isDirectory(network)) {
            return holders;
        }
        try (var files = Files.list(network)) {
            for (var file : files.toList()) {
                var name = String.valueOf(file.getFileName());
                if (name.startsWith(SUBNET)) {
                    holders.put(name, Files.readString(file).lines().findFirst().orElse(""));
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return holders;
    }

    private void requireNothing(String container, String why) {
        var held = held(container);
        if (!held.isEmpty()) {
            throw new AssertionError("%s %s, and holds %s".formatted(container, why, held));
        }
    }

    private void requirePromised() {
        var holders = holders();
        promised.forEach((container, address) -> {
            if (!container.equals(holders.get(address))) {
                throw new AssertionError(
                        "%s has %s, which is held by '%s'".formatted(container, address, holders.get(address)));
            }
        });
    }

    /// An agent that is killed may have done what it could not record any more.
    private void checkLedger() {
        requirePromised();
        if (!waiting().isEmpty() || Files.exists(spool().resolve("refused"))) {
            throw new AssertionError("DELs are left in the spool: " + waiting());
        }
        deleted.forEach(container -> requireNothing(container, "was deleted"));
        if (killed) {
            return;
        }
        var balances = new HashMap<String, Integer>();
        for (var recorded : stage.recorded()) {
            recorded.entry()
                    .granted()
                    .forEach(it -> balances.merge(it.range().first() + " " + it.holder(), 1, Integer::sum));
            recorded.entry()
                    .returned()
                    .forEach(it -> balances.merge(it.range().first() + " " + it.holder(), -1, Integer::sum));
        }
        var told = new TreeMap<String, String>();
        balances.forEach((holding, balance) -> {
            if (balance < 0 || balance > 1) {
                throw new AssertionError(
                        "the ledger tells that %s came %d times more often than it went".formatted(holding, balance));
            }
            if (balance == 1) {
                told.put(
                        holding.substring(0, holding.indexOf(' ')),
                        holding.substring(holding.indexOf('/') + 1, holding.lastIndexOf('/')));
            }
        });
        if (!told.equals(holders())) {
            throw new AssertionError("by the ledger there are %s, and by the folder %s".formatted(told, holders()));
        }
    }
}
