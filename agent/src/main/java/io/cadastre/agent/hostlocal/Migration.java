package io.cadastre.agent.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.engine.Decision;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.hostlocal.FolderEntry;
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
import java.util.function.Supplier;

/// Hands the host-local addresses of a node's pods over to Calico's blocks, as `calico-ipam -upgrade` does.
///
/// While it lasts no addresses are given: the cluster's flag is up, and the plugins that would give them
/// are removed. An address is given under Calico's rules before its file is deleted, so that after a kill
/// in between the next run finds the file again, and the address given.
public final class Migration {

    /// The network whose addresses are handed over; Calico knows no other here.
    public static final String NETWORK = "k8s-pod-network";

    /// How long an ADD may still be under way after its plugin was taken away, until its pod shows the address.
    private static final Duration UNDER_WAY_MAX = Duration.ofSeconds(5);

    private static final Duration LOCK_MAX = Duration.ofSeconds(20);

    private static final List<String> PROGRAMS = List.of("calico", "host-local");

    private static final String LOCK = "lock";

    private final AgentContext context;
    private final String node;
    private final Path folder;
    private final Path programs;
    private final FolderLedger ledger;
    private final MigrationFlag flag;
    private final Registrar<BlockView, BlockChange> blocks;

    /// @param folder where host-local keeps the network
    /// @param programs where the plugins are
    public Migration(AgentContext context, String node, Path folder, Path programs) {
        this.context = context;
        this.node = node;
        this.folder = folder;
        this.programs = programs;
        this.ledger = new FolderLedger(context.ledger(), context.clock());
        this.flag = new MigrationFlag(context, node);
        this.blocks = context.registrar(new CalicoBook(context.store(), context.clock()));
    }

    /// What a migration came to.
    public sealed interface Outcome {

        /// The node has no host-local addresses.
        record NothingToDo() implements Outcome {}

        /// The node has no host-local addresses any more.
        ///
        /// @param moved given under Calico's rules now
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

    /// Whether there is anything to hand over.
    public boolean due() {
        return Files.isDirectory(folder) && !isEmpty(folder);
    }

    /// Migrates the node. Running it again goes on where it stopped.
    ///
    /// @param pods reads the pods of the node after the last ADD of host-local; other addresses are forgotten
    /// @throws CniException if the folder cannot be read or written, or another process keeps its lock
    /// @throws UncheckedIOException if a plugin cannot be removed
    public Outcome migrate(Supplier<List<NodePod>> pods) throws InterruptedException {
        if (!due()) {
            deleteQuietly(folder);
            flag.lower();
            return new Outcome.NothingToDo();
        }
        flag.raise();
        for (var program : PROGRAMS) {
            delete(programs.resolve(program));
        }
        context.pause().pause(UNDER_WAY_MAX);
        var handing = new Handing();
        new LeaseFolders(LOCK_MAX)
                .use(
                        folder,
                        open -> {
                            handing.run(open, pods.get());
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
            // Another process uses it and needs it.
        }
    }

    /// One walk through the folder, while no other process has it.
    private final class Handing {

        private final TreeMap<Address, NodePod> owners = new TreeMap<>();
        private final List<Address> moved = new ArrayList<>();
        private final List<Address> forgotten = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private final List<HostLocalChange> changes = new ArrayList<>();

        void run(LeaseFolder open, List<NodePod> pods) throws IOException {
            for (var resident : pods) {
                resident.addresses().forEach(address -> owners.put(address, resident));
            }
            var entries = open.read().entries().stream()
                    .sorted(Comparator.comparing(FolderEntry::path))
                    .toList();
            for (var entry : entries) {
                if (!entry.path().equals(LOCK) && mayGo(entry)) {
                    var change = new HostLocalChange.Delete(entry);
                    open.write(List.of(change));
                    changes.add(change);
                }
            }
            if (faults.isEmpty() && open.read().entries().stream().allMatch(Handing::isLock)) {
                // A process that waits for the lock finds no folder any more, and fails.
                Files.deleteIfExists(folder.resolve(LOCK));
                deleteQuietly(folder);
            }
        }

        private static boolean isLock(FolderEntry entry) {
            return entry.path().equals(LOCK);
        }

        /// Whether a file is of no use any more.
        private boolean mayGo(FolderEntry entry) {
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

        private boolean isGiven(Address address, List<String> lines, NodePod owner) {
            var container = lines.getFirst();
            if (container.isEmpty() || container.indexOf('/') >= 0) {
                faults.add("%s: '%s' is not a container ID".formatted(address, container));
                return false;
            }
            var given = blocks.enact(new Request<BlockView, BlockChange, AddressAssignment>(
                    "cni upgrade %s: give %s to %s/%s".formatted(node, address, owner.namespace(), owner.pod()),
                    (view, lost) -> BlockEngine.assignAddress(
                            view, request(address, lines, owner).after(lost))));
            return switch (given) {
                case AddressAssignment.Assigned _ -> {
                    moved.add(address);
                    yield true;
                }
                // An earlier run gave it and was stopped before it deleted the file.
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

        private AssignAddressRequest request(Address address, List<String> lines, NodePod owner) {
            return AssignAddressRequest.of(address, node, requester(lines, owner), context.now())
                    .forUse(AddressUse.WORKLOAD);
        }

        private Requester requester(List<String> lines, NodePod owner) {
            var attributes = new TreeMap<String, String>();
            attributes.put("node", node);
            attributes.put("pod", owner.pod());
            attributes.put("namespace", owner.namespace());
            if (lines.size() > 1) {
                attributes.put(CalicoIpam.ATTACHMENT, String.join("/", NETWORK, lines.getFirst(), lines.get(1)));
            }
            return Requester.of("%s.%s".formatted(NETWORK, lines.getFirst()), attributes);
        }

        /// Records in the ledger that host-local holds nothing any more.
        Handing tell() {
            ledger.note("cni upgrade " + node, HolderFacts.ofNode(node), new Decision<>(moved, changes, List.of()));
            return this;
        }

        Outcome outcome() {
            return faults.isEmpty() ? new Outcome.Done(moved, forgotten) : new Outcome.Unfinished(moved, faults);
        }
    }
}
