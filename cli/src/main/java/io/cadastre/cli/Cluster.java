package io.cadastre.cli;

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
final class Cluster {

    /// What Calico's documents begin with, and what Kubernetes' do.
    private static final String CALICO = "/calico/";

    private static final String KUBERNETES = "/cadastre/";

    private Cluster() {}

    /// The Nodes, Pods and Leases of Kubernetes beside a store that has Calico's documents. Closing it closes
    /// both.
    ///
    /// @return empty if the environment names no Kubernetes API
    static Optional<Datastore> findBeside(
            Datastore calico, StoreOptions options, Surroundings surroundings) {
        Optional<KubernetesSettings> settings;
        try {
            settings =
                    KubernetesSettings.findMeant(
                            options.settings(surroundings.environment()), options.context());
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
        return settings.map(meant -> beside(calico, meant, surroundings));
    }

    /// The Pods of the cluster that the store is in, or that the environment names beside another store.
    static Optional<Datastore> findPods(StoreOptions options, Surroundings surroundings) {
        return options.kind(surroundings.environment()) == StoreOptions.Kind.KUBERNETES
                ? Optional.of(open(options, surroundings))
                : findBeside(new MemoryDatastore(), options, surroundings);
    }

    private static Datastore beside(
            Datastore calico, KubernetesSettings settings, Surroundings surroundings) {
        var dice = surroundings.dice();
        try (var _ = Progress.show(surroundings, () -> "waiting for the API server")) {
            // Whether there is a server at all is to be known now.
            var _ = ApiGroups.fetch(settings, dice);
        }
        return RoutedDatastore.of(
                List.of(
                        new Route(CALICO, calico),
                        new Route(
                                KUBERNETES,
                                KubernetesDatastore.open(settings, new CoreObjects(), dice))));
    }

    /// Which cluster it is, and how far its store has come; empty if this user may not know.
    static Optional<StoreIdentity> fetchIdentity(StoreOptions options, Surroundings surroundings) {
        return ClusterIdentity.fetch(settings(options, surroundings), surroundings.dice());
    }

    private static KubernetesSettings settings(StoreOptions options, Surroundings surroundings) {
        try {
            return KubernetesSettings.fromEnvironment(
                    options.settings(surroundings.environment()), options.context());
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
    }

    static Datastore open(StoreOptions options, Surroundings surroundings) {
        var environment = options.settings(surroundings.environment());
        var settings = settings(options, surroundings);
        var dice = surroundings.dice();
        try (var _ = Progress.show(surroundings, () -> "waiting for the API server")) {
            var told = Optional.ofNullable(environment.get(ApiGroup.VARIABLE));
            // Asked in any case: whether there is a server at all is to be known now.
            var group = ApiGroup.choose(told, ApiGroups.fetch(settings, dice));
            var calico = KubernetesDatastore.open(settings, new CalicoObjects(group), dice);
            try {
                return RoutedDatastore.of(
                        List.of(
                                new Route(CALICO, calico),
                                new Route(
                                        KUBERNETES,
                                        KubernetesDatastore.open(
                                                settings, new CoreObjects(), dice))));
            } catch (DatastoreException failed) {
                calico.close();
                throw failed;
            }
        }
    }
}
