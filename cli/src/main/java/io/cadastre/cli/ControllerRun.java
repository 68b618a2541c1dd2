package io.cadastre.cli;

import io.cadastre.controller.Controller;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.Means;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.datastore.Datastore;
import io.cadastre.registry.LedgerRetention.Bound;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A controller from its beginning until somebody stops the process.
final class ControllerRun {

    private final Surroundings surroundings;
    private final StoreOptions storeOptions;
    private final List<Bound> ledgerBounds;

    /// @param ledgerBounds how much of its ledger it keeps
    ControllerRun(Surroundings surroundings, StoreOptions storeOptions, List<Bound> ledgerBounds) {
        this.surroundings = surroundings;
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

    int run(Function<ClusterSource, ControllerSettings> settingsWith) {
        try (var stop = StopSignal.begin();
                var office = Office.open(storeOptions, surroundings);
                var _ = RetentionOptions.begin(ledgerBounds, office);
                var outlook = outlook(office.datastore())) {
            var settings = settingsWith.apply(outlook.source());
            try (var controller = Controller.start(settings, means(office, outlook.store()))) {
                var address = controller.address();
                surroundings
                        .out()
                        .println(
                                "controller %s stands for election; its pages are on http://%s:%d"
                                        .formatted(
                                                settings.election().identity(),
                                                address.getHostString(),
                                                address.getPort()));
                surroundings.out().flush();
                stop.await();
                surroundings.err().println("cadastre: stopping");
                return ExitCode.DONE;
            }
        }
    }

    private Outlook outlook(Datastore store) {
        return switch (storeOptions.kind(surroundings.environment())) {
            case EMBEDDED -> new Outlook(store, ClusterSource.CALICO_AND_KUBERNETES);
            case KUBERNETES -> new Outlook(store, ClusterSource.KUBERNETES);
            case ETCD -> {
                Optional<Datastore> beside = Cluster.findBeside(store, storeOptions, surroundings);
                yield beside.map(both -> new Outlook(both, ClusterSource.CALICO_AND_KUBERNETES))
                        .orElseGet(() -> new Outlook(store, ClusterSource.CALICO_ALONE));
            }
        };
    }

    private Means means(Office office, Datastore store) {
        return new Means(
                store,
                office.ledger(),
                surroundings.clock(),
                System::nanoTime,
                surroundings.dice(),
                surroundings.pause(),
                surroundings::complain);
    }
}
