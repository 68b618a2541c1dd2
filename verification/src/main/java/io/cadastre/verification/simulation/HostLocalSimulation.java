package io.cadastre.verification.simulation;

import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.StdinSource;

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
import java.util.SplittableRandom;
import java.util.TreeMap;

/// An agent that gives the addresses of one node out of a folder to containers that come and go, while its ledger fails,
/// callers hang up and the process is killed. The folder is a real one, which is removed afterwards. One seed is one
/// history.
///
/// Whoever was answered has the address that he was told of, and keeps it. Whoever was refused, has hung up or was
/// deleted has none. And the ledger tells of each change once.
public final class HostLocalSimulation {

    private static final String NETWORK = "net";
    private static final String SUBNET = "10.1.2.";
    private static final String LEDGER_FAILS = "the ledger cannot be written";
    private static final int TRIES_MAX = 200;
    private static final long PAUSE_MILLISECONDS_MAX = 300;
    private static final Duration LOCK_MAX = Duration.ofMinutes(1);

    private final Stage stage;
    private final Path folder;
    private final Map<String, String> promised = new TreeMap<>();
    private HostLocal plugin;
    private Life life;
    private boolean killed;
    private int calls;

    private HostLocalSimulation(long seed, Path folder) {
        var dice = new SplittableRandom(seed);
        var drawn = dice.split();
        var weather = drawn.nextInt(8) == 0 ? Weather.fair() : Weather.drawn(drawn);
        for (var fault : List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER)) {
            weather = weather.without(fault);
        }
        this.stage = new Stage(seed, Dialect.HOST_LOCAL, dice, weather);
        this.folder = folder;
        this.life = new Life("agent");
        this.plugin = begin(life);
    }

    private HostLocal begin(Life begun) {
        return new HostLocal(
                LOCK_MAX,
                new Ledger(stage.slowJournal(begun)),
                stage.scheduler(),
                AgentHome.of("node"));
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
            stage.startWorker(name, () -> live(name, choices));
        }
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
            stage.history().event("agent", "is killed and begins again");
            killed = true;
            life.end();
            life = new Life("agent");
            plugin = begin(life);
        }
    }

    private void rest(SplittableRandom choices) {
        stage.scheduler().pause(Duration.ofMillis(choices.nextLong(PAUSE_MILLISECONDS_MAX)));
    }

    // ---- containers ----

    private void live(String name, SplittableRandom choices) {
        int containers = choices.nextInt(2, 8);
        for (int number = 1; number <= containers; number++) {
            var container = "%s-%d".formatted(name, number);
            rest(choices);
            if (!add(container, choices) || choices.nextInt(4) > 0) {
                rest(choices);
                delete(container, choices);
            }
        }
        // What is owed is written before anything else is done.
        for (int tries = 1; tries <= TRIES_MAX; tries++) {
            var answer = call(CniVerb.STATUS, "", new Withdrawal());
            if (answer.isPresent() && !answer.get().stdout().utf8().contains(LEDGER_FAILS)) {
                return;
            }
            rest(choices);
        }
    }

    /// Whether nothing is left that has to be deleted.
    private boolean add(String container, SplittableRandom choices) {
        var withdrawal = new Withdrawal();
        var answer = call(CniVerb.ADD, container, withdrawal);
        if (answer.isEmpty()) {
            return false;
        }
        if (answer.get().exitCode() != 0) {
            requireNothing(container, "was refused");
        } else if (choices.nextInt(4) == 0) {
            stage.history().event(container, "hung up");
            try {
                withdrawal.carryOut();
            } catch (Crash crash) {
                return false;
            }
            requireNothing(container, "hung up");
        } else {
            var told = answer.get().stdout().utf8();
            var held = held(container);
            if (held.size() != 1 || !told.contains("\"%s/".formatted(held.getFirst()))) {
                throw new AssertionError(
                        "%s was told %s, and holds %s".formatted(container, told, held));
            }
            promised.put(container, held.getFirst());
        }
        return true;
    }

    private void delete(String container, SplittableRandom choices) {
        promised.remove(container);
        for (int tries = 1; tries <= TRIES_MAX; tries++) {
            var answer = call(CniVerb.DEL, container, new Withdrawal());
            if (answer.isPresent() && answer.get().exitCode() == 0) {
                requireNothing(container, "was deleted");
                return;
            }
            rest(choices);
        }
        throw new AssertionError(container + " cannot be deleted");
    }

    /// The answer, or nothing if the agent was killed meanwhile.
    private Optional<CniAnswer> call(CniVerb verb, String container, Withdrawal withdrawal) {
        calls++;
        stage.history().request(container, verb.name());
        var serving = life;
        try {
            var answer =
                    plugin.forCall(withdrawal)
                            .answer(
                                    environment(verb, container),
                                    StdinSource.of(Bytes.ofUtf8(config())),
                                    _ -> Namespaces.Relation.OTHER);
            if (!serving.alive()) {
                return Optional.empty();
            }
            stage.history().event(container, "%s -> %d".formatted(verb, answer.exitCode()));
            requirePromised();
            return Optional.of(answer);
        } catch (Crash crash) {
            return Optional.empty();
        }
    }

    private static Map<String, String> environment(CniVerb verb, String container) {
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
        """
                .formatted(NETWORK, folder, SUBNET);
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
        var network = folder.resolve(NETWORK);
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
        promised.forEach(
                (container, address) -> {
                    if (!container.equals(holders.get(address))) {
                        throw new AssertionError(
                                "%s has %s, which is held by '%s'"
                                        .formatted(container, address, holders.get(address)));
                    }
                });
    }

    /// Whoever is killed may have done what he could not tell any more.
    private void checkLedger() {
        requirePromised();
        if (killed) {
            return;
        }
        var balances = new HashMap<String, Integer>();
        for (var recorded : read()) {
            recorded.entry()
                    .granted()
                    .forEach(
                            it ->
                                    balances.merge(
                                            it.range().first() + " " + it.holder(),
                                            1,
                                            Integer::sum));
            recorded.entry()
                    .returned()
                    .forEach(
                            it ->
                                    balances.merge(
                                            it.range().first() + " " + it.holder(),
                                            -1,
                                            Integer::sum));
        }
        var told = new TreeMap<String, String>();
        balances.forEach(
                (holding, balance) -> {
                    if (balance < 0 || balance > 1) {
                        throw new AssertionError(
                                "the ledger tells that %s came %d times more often than it went"
                                        .formatted(holding, balance));
                    }
                    if (balance == 1) {
                        told.put(
                                holding.substring(0, holding.indexOf(' ')),
                                holding.substring(
                                        holding.indexOf('/') + 1, holding.lastIndexOf('/')));
                    }
                });
        if (!told.equals(holders())) {
            throw new AssertionError(
                    "by the ledger there are %s, and by the folder %s".formatted(told, holders()));
        }
    }

    private List<Ledger.Recorded> read() {
        var all = new ArrayList<Ledger.Recorded>();
        var page = stage.ledger().read(1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            all.addAll(page);
            page = stage.ledger().read(page.getLast().number() + 1, Journal.PAGE_RECORDS_MAX);
        }
        return all;
    }
}
