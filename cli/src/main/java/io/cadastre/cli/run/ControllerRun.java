package io.cadastre.cli.run;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.session.Cluster;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.controller.ChosenLoops;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.Controller;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.datastore.Datastore;
import io.cadastre.registry.LedgerRetention.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A controller from its beginning until the process is stopped.
final class ControllerRun {

    /// The names of all control loops.
    static final List<String> LOOPS = List.of(GarbageCollection.NAME);

    private final CommandContext context;
    private final StoreOptions storeOptions;
    private final List<Bound> ledgerBounds;

    /// @param ledgerBounds how much of its ledger it keeps
    ControllerRun(CommandContext context, StoreOptions storeOptions, List<Bound> ledgerBounds) {
        this.context = context;
        this.storeOptions = storeOptions;
        this.ledgerBounds = List.copyOf(ledgerBounds);
    }

    /// A store with what is known of pods and nodes, and where that comes from.
    private record Outlook(Datastore store, ClusterSource source) implements AutoCloseable {

        @Override
        public void close() {
            store.close();
        }
    }

    int run(ControllerSettings settings, ChosenLoops chosen, LeakGrace grace) {
        try (var stop = StopSignal.begin();
                var session = Session.open(storeOptions, context);
                var _ = RetentionOptions.begin(ledgerBounds, session);
                var outlook = outlook(session.datastore())) {
            var means = means(session, outlook.store());
            var loops = new ArrayList<ControlLoop>();
            if (chosen.includes(GarbageCollection.NAME)) {
                loops.add(new GarbageCollection(means, grace, outlook.source()));
            }
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
