package io.cadastre.agent.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.calico.Means;
import io.cadastre.engine.Decision;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Use;
import io.cadastre.engine.hostlocal.Entry;
import io.cadastre.engine.hostlocal.HostLocalChange;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.cni.CniException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Hands what pods of a node have by host-local over to Calico's blocks, as `calico-ipam -upgrade` does.
///
/// While it lasts nobody gives addresses: the cluster's flag is up, and the plugins that would are taken
/// away. An address is given by Calico's law before its file goes, so that whoever is killed in between
/// finds the file again, and the address given.
public final class Migration {

    /// The network whose addresses are handed over; Calico knows no other here.
    public static final String NETWORK = "k8s-pod-network";

    /// How long an ADD may still be under way after its plugin was taken away.
    private static final Duration UNDER_WAY_MAX = Duration.ofSeconds(5);

    private static final Duration LOCK_MAX = Duration.ofSeconds(20);

    private static final List<String> PROGRAMS = List.of("calico", "host-local");

    private static final String LOCK = "lock";

    private final Means means;
    private final String node;
    private final Path folder;
    private final Path programs;
    private final FolderLedger ledger;
    private final MigrationFlag flag;
    private final Registrar<BlockView, BlockChange> blocks;

    /// @param folder where host-local keeps the network
    /// @param programs where the plugins are
    public Migration(Means means, String node, Path folder, Path programs) {
        this.means = means;
        this.node = node;
        this.folder = folder;
        this.programs = programs;
        this.ledger = new FolderLedger(means.ledger(), means.clock());
        this.flag = new MigrationFlag(means, node);
        this.blocks = means.registrar(new CalicoBook(means.store(), means.clock()));
    }

    /// What a migration came to.
    public sealed interface Outcome {

        /// The node has nothing by host-local.
        record NothingToDo() implements Outcome {}

        /// The node has nothing by host-local any more.
        ///
        /// @param moved given by Calico's law now
        /// @param forgotten of which no pod of the node is known
        record Done(List<Address> moved, List<Address> forgotten) implements Outcome {
            public Done {
                moved = List.copyOf(moved);
                forgotten = List.copyOf(forgotten);
            }
        }

        /// Some addresses could not be given, and still have their files.
        ///
        /// @param faults a sentence for each
        record Unfinished(List<Address> moved, List<String> faults) implements Outcome {
            public Unfinished {
                moved = List.copyOf(moved);
                faults = List.copyOf(faults);
            }
        }
    }

    /// Whether anything is there to be handed over.
    public boolean due() {
        return Files.isDirectory(folder) && !isEmpty(folder);
    }

    /// Migrates the node. Doing it again goes on where it stopped.
    ///
    /// @param residents the pods of the node: an address of none of them is forgotten
    /// @throws CniException if the folder cannot be read or written, or somebody keeps its lock
    /// @throws UncheckedIOException if a plugin cannot be taken away
    public Outcome migrate(List<Resident> residents) throws InterruptedException {
        if (!due()) {
            deleteQuietly(folder);
            flag.lower();
            return new Outcome.NothingToDo();
        }
        flag.raise();
        for (var program : PROGRAMS) {
            delete(programs.resolve(program));
        }
        means.pause().pause(UNDER_WAY_MAX);
        var handing = new Handing(residents);
        new NetworkFolders(LOCK_MAX)
                .use(
                        folder,
                        open -> {
                            handing.run(open);
                            return handing;
                        },
                        Handing::tell);
        ledger.settle();
        flag.lower();
        return handing.outcome();
    }

    private static boolean isEmpty(Path path) {
        try (var files = Files.list(path)) {
            return files.findAny().isEmpty();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A folder that is in use again by now stays.
    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException _) {
            // Whoever uses it needs it.
        }
    }

    /// One walk through the folder, while nobody else has it.
    private final class Handing {

        private final TreeMap<Address, Resident> owners = new TreeMap<>();
        private final List<Address> moved = new ArrayList<>();
        private final List<Address> forgotten = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private final List<HostLocalChange> changes = new ArrayList<>();

        Handing(List<Resident> residents) {
            for (var resident : residents) {
                resident.addresses().forEach(address -> owners.put(address, resident));
            }
        }

        void run(NetworkFolder open) throws IOException {
            var entries =
                    open.read().entries().stream()
                            .sorted(Comparator.comparing(Entry::path))
                            .toList();
            for (var entry : entries) {
                if (!entry.path().equals(LOCK) && mayGo(entry)) {
                    var change = new HostLocalChange.Delete(entry);
                    open.write(List.of(change));
                    changes.add(change);
                }
            }
            if (faults.isEmpty() && open.read().entries().stream().allMatch(Handing::isLock)) {
                // Whoever waits for the lock finds no folder any more, and fails.
                Files.deleteIfExists(folder.resolve(LOCK));
                deleteQuietly(folder);
            }
        }

        private static boolean isLock(Entry entry) {
            return entry.path().equals(LOCK);
        }

        /// Whether a file is of no use any more.
        private boolean mayGo(Entry entry) {
            if (entry.path().contains("last")) {
                return true;
            }
            var address = entry.address().filter(_ -> entry.reserves());
            if (address.isEmpty()) {
                return false;
            }
            var owner = Optional.ofNullable(owners.get(address.get()));
            if (owner.isEmpty() || entry.lines().isEmpty()) {
                forgotten.add(address.get());
                return true;
            }
            return isGiven(address.get(), entry.lines(), owner.get());
        }

        private boolean isGiven(Address address, List<String> lines, Resident owner) {
            var container = lines.getFirst();
            if (container.isEmpty() || container.indexOf('/') >= 0) {
                faults.add("%s: '%s' is no container".formatted(address, container));
                return false;
            }
            var given =
                    blocks.enact(
                            new Request<BlockView, BlockChange, AddressAssignment>(
                                    "cni upgrade %s: give %s to %s/%s"
                                            .formatted(
                                                    node, address, owner.namespace(), owner.pod()),
                                    (view, lost) ->
                                            BlockEngine.assignAddress(
                                                    view,
                                                    request(address, lines, owner).after(lost))));
            return switch (given) {
                case AddressAssignment.Assigned _ -> {
                    moved.add(address);
                    yield true;
                }
                // By whoever was stopped before the file was gone.
                case AddressAssignment.Refused(BlockRefusal.AlreadyAssigned _) -> {
                    moved.add(address);
                    yield true;
                }
                case AddressAssignment.Refused(var refusal) -> {
                    faults.add("%s: %s".formatted(address, refusal.sentence().strip()));
                    yield false;
                }
            };
        }

        private AssignAddressRequest request(Address address, List<String> lines, Resident owner) {
            return AssignAddressRequest.of(address, node, claimant(lines, owner), means.now())
                    .forUse(Use.WORKLOAD);
        }

        private Claimant claimant(List<String> lines, Resident owner) {
            var attributes = new TreeMap<String, String>();
            attributes.put("node", node);
            attributes.put("pod", owner.pod());
            attributes.put("namespace", owner.namespace());
            if (lines.size() > 1) {
                attributes.put(
                        CalicoIpam.ATTACHMENT,
                        String.join("/", NETWORK, lines.getFirst(), lines.get(1)));
            }
            return Claimant.of("%s.%s".formatted(NETWORK, lines.getFirst()), attributes);
        }

        /// Has the ledger know that host-local holds nothing any more.
        Handing tell() {
            ledger.note(
                    "cni upgrade " + node,
                    HolderFacts.ofNode(node),
                    new Decision<>(moved, changes, List.of()));
            return this;
        }

        Outcome outcome() {
            return faults.isEmpty()
                    ? new Outcome.Done(moved, forgotten)
                    : new Outcome.Unfinished(moved, faults);
        }
    }
}
