package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.command.UsageException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.datastore.kubernetes.ApiGroups;
import io.cadastre.datastore.kubernetes.ClusterIdentity;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.cadastre.wire.calico.crd.CalicoObjects;
import io.cadastre.wire.kubernetes.CoreObjects;
import java.util.List;
import java.util.Optional;

/// The Kubernetes API as a store: Calico's documents in its own objects, and Kubernetes' as they are.
public final class Cluster {

    /// What Calico's documents begin with, and what Kubernetes' do.
    private static final String CALICO = "/calico/";

    private static final String KUBERNETES = "/cadastre/";

    private Cluster() {}

    /// The Nodes, Pods and Leases of Kubernetes beside a store that has Calico's documents. Closing it closes
    /// both.
    ///
    /// @return empty if the environment names no Kubernetes API
    public static Optional<Datastore> findBeside(Datastore calico, StoreOptions options, CommandContext context) {
        Optional<KubernetesSettings> settings;
        try {
            settings = KubernetesSettings.findMeant(options.settings(context.environment()), options.context());
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
        return settings.map(meant -> beside(calico, meant, context));
    }

    /// The Pods of the cluster that the store is in, or that the environment names beside another store.
    public static Optional<Datastore> findPods(StoreOptions options, CommandContext context) {
        return options.kind(context.environment()) == StoreOptions.Kind.KUBERNETES
                ? Optional.of(open(options, context))
                : findBeside(new MemoryDatastore(), options, context);
    }

    private static Datastore beside(Datastore calico, KubernetesSettings settings, CommandContext context) {
        var dice = context.dice();
        try (var _ = Progress.show(context, () -> "waiting for the API server")) {
            // Checks now whether there is a server at all.
            var _ = ApiGroups.fetch(settings, dice);
        }
        return RoutedDatastore.of(List.of(
                new Route(CALICO, calico),
                new Route(KUBERNETES, KubernetesDatastore.open(settings, new CoreObjects(), dice))));
    }

    /// Which cluster it is, and how far its store has come; empty if this user may not know.
    static Optional<StoreIdentity> fetchIdentity(StoreOptions options, CommandContext context) {
        return ClusterIdentity.fetch(settings(options, context), context.dice());
    }

    private static KubernetesSettings settings(StoreOptions options, CommandContext context) {
        try {
            return KubernetesSettings.fromEnvironment(options.settings(context.environment()), options.context());
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
    }

    static Datastore open(StoreOptions options, CommandContext context) {
        var environment = options.settings(context.environment());
        var settings = settings(options, context);
        var dice = context.dice();
        try (var _ = Progress.show(context, () -> "waiting for the API server")) {
            var told = Optional.ofNullable(environment.get(ApiGroup.VARIABLE));
            // Asked in any case, to check now whether there is a server at all.
            var group = ApiGroup.choose(told, ApiGroups.fetch(settings, dice));
            var calico = KubernetesDatastore.open(settings, new CalicoObjects(group), dice);
            try {
                return RoutedDatastore.of(List.of(
                        new Route(CALICO, calico),
                        new Route(KUBERNETES, KubernetesDatastore.open(settings, new CoreObjects(), dice))));
            } catch (DatastoreException failed) {
                calico.close();
                throw failed;
            }
        }
    }
}
