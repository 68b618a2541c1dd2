package io.cadastre.cli.session;

import io.cadastre.agent.net.PodAnnotations;
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
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.cadastre.wire.calico.crd.CalicoObjects;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.CoreObjects;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The Kubernetes API as a store: Calico's documents in its own objects, and Kubernetes' as they are.
public final class Cluster {

    /// How long the server may work on a patch of a Node. From the check of the term on, the client gives it half a
    /// second more than that to arrive and be answered. So four and a half seconds after the check a patch is
    /// written or never will be: before the five are over that lie between a leader's right to write and the end of
    /// its lease.
    private static final Duration NODE_WRITE_LIMIT = Duration.ofSeconds(2);

    /// The key prefixes of Calico's and of Kubernetes' documents.
    private static final String CALICO = "/calico/";

    private static final String KUBERNETES = "/cadastre/";

    private Cluster() {}

    /// The Nodes, Pods and Leases of Kubernetes beside a store that has Calico's documents. Closing it closes
    /// both.
    ///
    /// @return empty if the environment names no Kubernetes API
    public static Optional<Datastore> findBeside(Datastore calico, StoreOptions options, CommandContext context) {
        return meantBeside(options, context).map(meant -> beside(calico, meant, context));
    }

    private static Optional<KubernetesSettings> meantBeside(StoreOptions options, CommandContext context) {
        try {
            return KubernetesSettings.findMeant(options.settings(context.environment()), options.context());
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
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
            // Checks now whether a server answers.
            var _ = ApiGroups.fetch(settings, dice);
        }
        return RoutedDatastore.of(List.of(
                new Route(CALICO, calico),
                new Route(KUBERNETES, KubernetesDatastore.open(settings, new CoreObjects(), dice))));
    }

    /// The identity and revision of the cluster; empty if this user lacks the rights to read them.
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
            var named = Optional.ofNullable(environment.get(ApiGroup.VARIABLE));
            // Fetched in any case, to check now whether a server answers.
            var group = ApiGroup.choose(named, ApiGroups.fetch(settings, dice));
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

    /// Checks that there is a way to the Nodes of a cluster, without connecting to it.
    ///
    /// @throws UsageException if there is none
    public static void checkNodes(StoreOptions options, CommandContext context) {
        var _ = nodeSettings(options, context);
    }

    /// A writer of the Nodes of the cluster that the store is in, or that the environment names beside etcd.
    ///
    /// @param rate how fast it may write
    /// @throws UsageException if there is no Kubernetes API
    public static ApiNodeWriter nodeWriter(StoreOptions options, Rate rate, CommandContext context) {
        var settings = nodeSettings(options, context).withRate(rate).withWriteLimit(NODE_WRITE_LIMIT);
        return new ApiNodeWriter(KubernetesDatastore.open(settings, new CoreObjects(), context.dice()));
    }

    private static KubernetesSettings nodeSettings(StoreOptions options, CommandContext context) {
        var meant =
                switch (options.kind(context.environment())) {
                    case KUBERNETES -> Optional.of(settings(options, context));
                    case ETCD -> meantBeside(options, context);
                    case EMBEDDED -> Optional.<KubernetesSettings>empty();
                };
        return meant.orElseThrow(() -> new UsageException(
                "--allocate-node-cidrs needs the Nodes of a Kubernetes API: give --datastore kubernetes and KUBECONFIG;"
                        + " without a cluster, use 'cadastre node-cidr add'"));
    }

    /// Patches the status of Pods, which have the annotations that an agent writes. The right to do that is
    /// not the right to change what a pod asks for.
    public static PodAnnotations.MergePatch podPatch(Session session) {
        if (session.datastore() instanceof RoutedDatastore routed
                && routed.storeOf(CoreKeys.PODS) instanceof KubernetesDatastore api) {
            return (key, changes) -> api.patch(new ObjectPatch(key, Merge.JSON, Rewriting.STATUS, changes));
        }
        throw new IllegalArgumentException("the store has no Pods of the Kubernetes API");
    }
}
