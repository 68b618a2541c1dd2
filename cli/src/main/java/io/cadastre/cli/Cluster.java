package io.cadastre.cli;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.kubernetes.ApiGroups;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
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

    static Datastore open(StoreOptions options, Surroundings surroundings) {
        var environment = options.settings(surroundings.environment());
        KubernetesSettings settings;
        try {
            settings = KubernetesSettings.fromEnvironment(environment, options.context());
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
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
