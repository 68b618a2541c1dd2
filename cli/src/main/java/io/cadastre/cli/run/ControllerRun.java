package io.cadastre.cli.run;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.nodecidr.NodeAllocation;
import io.cadastre.cli.session.Cluster;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.cloud.google.GoogleCloud;
import io.cadastre.cloud.google.GoogleCloud.Limits;
import io.cadastre.controller.ChosenLoops;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.Controller;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.nodecidr.NodeIpam;
import io.cadastre.controller.nodecidr.NodeIpamSettings;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType;
import io.cadastre.controller.nodecidr.cloud.CloudIpam;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.cadastre.registry.LedgerRetention.Bound;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import io.cadastre.wire.pages.HttpLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A running controller, from start to stop.
final class ControllerRun {

    /// The names of all control loops.
    static final List<String> LOOPS = Stream.concat(
                    Stream.of(GarbageCollection.NAME, NodeIpam.NAME), SpiderpoolLoops.NAMES.stream())
            .toList();

    private final CommandContext context;
    private final StoreOptions storeOptions;
    private final List<Bound> ledgerBounds;

    /// @param ledgerBounds how much of the ledger to keep
    ControllerRun(CommandContext context, StoreOptions storeOptions, List<Bound> ledgerBounds) {
        this.context = context;
        this.storeOptions = storeOptions;
        this.ledgerBounds = List.copyOf(ledgerBounds);
    }

    /// A store with the known pods and nodes, and their source.
    private record Outlook(Datastore store, ClusterSource source) implements AutoCloseable {

        @Override
        public void close() {
            store.close();
        }
    }

    /// @param nodeCidrs what the node allocator does; empty if it does not run
    /// @param rate how fast it writes
    /// @param spiderpool the loops of its dialect
    int run(
            ControllerSettings settings,
            ChosenLoops chosen,
            LeakGrace grace,
            Optional<NodeAllocation> nodeCidrs,
            Rate rate,
            SpiderpoolLoops spiderpool) {
        HttpLimits.set();
        try (var stop = StopSignal.begin();
                var session = Session.open(storeOptions, context);
                var _ = RetentionOptions.begin(ledgerBounds, session);
                var outlook = outlook(session.datastore())) {
            var means = means(session, outlook.store());
            var loops = new ArrayList<ControlLoop>();
            if (chosen.includes(GarbageCollection.NAME)) {
                loops.add(new GarbageCollection(means, grace, outlook.source()));
            }
            loops.addAll(spiderpool.create(means, outlook.source()));
            if (nodeCidrs.isEmpty()) {
                return run(settings, means, loops, stop);
            }
            try (var writer = Cluster.nodeWriter(storeOptions, rate, context)) {
                switch (nodeCidrs.get()) {
                    case NodeAllocation.Blocks(var blocks) -> {
                        loops.add(new NodeIpam(means, served(blocks, outlook.store()), writer));
                        return run(settings, means, loops, stop);
                    }
                    case NodeAllocation.Aliases(var aliases, var config) -> {
                        try (var cloud = new GoogleCloud(
                                config, Limits.DEFAULT, means.stopwatch(), means.clock(), means.pause())) {
                            loops.add(new CloudIpam(means, aliases, cloud, writer));
                            return run(settings, means, loops, stop);
                        }
                    }
                }
            }
        }
    }

    private int run(ControllerSettings settings, ControllerContext means, List<ControlLoop> loops, StopSignal stop) {
        try (var controller = Controller.start(settings, means, loops)) {
            var address = controller.address();
            context.out()
                    .println("controller %s started; metrics and health checks are on http://%s:%d"
                            .formatted(settings.election().identity(), address.getHostString(), address.getPort()));
            context.out().flush();
            stop.await();
            context.err().println("cadastre: stopping");
            return ExitCode.DONE;
        }
    }

    /// With the API group of ClusterCIDRs that the cluster has. One that is missing is asked for again and again.
    ///
    /// @throws DatastoreException if the cluster does not say whether it has them
    private static NodeIpamSettings served(NodeIpamSettings settings, Datastore store) {
        return settings.type() instanceof AllocatorType.ClusterCidrs type
                        && !serves(store, ClusterCidrGroup.CUSTOM)
                        && serves(store, ClusterCidrGroup.IN_TREE)
                ? settings.with(type.in(ClusterCidrGroup.IN_TREE))
                : settings;
    }

    private static boolean serves(Datastore store, ClusterCidrGroup group) {
        try {
            var _ = store.list(group.keys(), 1);
            return true;
        } catch (DatastoreException failed) {
            return switch (failed.kind()) {
                // A role without the right to list them is refused before the server looks for the kind.
                case NOT_INSTALLED, DENIED -> false;
                case UNREACHABLE, DEADLINE, CLOSED, READ_ONLY, FULL, CORRUPT, FOREIGN, COMPACTED, FAILED ->
                    throw failed;
            };
        }
    }

    private Outlook outlook(Datastore store) {
        return switch (storeOptions.kind(context.environment())) {
            case EMBEDDED -> new Outlook(store, ClusterSource.CALICO_AND_KUBERNETES);
            case KUBERNETES -> new Outlook(store, ClusterSource.KUBERNETES);
            case ETCD -> {
                Optional<Datastore> beside = Cluster.findBeside(store, storeOptions, context);
                yield beside.map(both -> new Outlook(both, ClusterSource.CALICO_AND_KUBERNETES))
                        .orElseGet(() -> new Outlook(store, ClusterSource.CALICO_ALONE));
            }
        };
    }

    private ControllerContext means(Session session, Datastore store) {
        return new ControllerContext(
                store,
                session.ledger(),
                context.clock(),
                System::nanoTime,
                context.dice(),
                context.pause(),
                context::complain);
    }
}
