package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Which cluster an API server belongs to, and how far its store has come.
///
/// A cluster has no name of its own. Its namespace kube-system is made with it and never again, so the
/// `uid` of that namespace distinguishes clusters. A list that is asked for without a revision is as
/// new as the store, and its resource version is the store's revision.
public final class ClusterIdentity {

    private static final ApiResource NAMESPACES = new ApiResource(
            "", "v1", "namespaces", "Namespace", ApiResource.Reach.CLUSTER, ApiResource.Removal.AT_ONCE);

    private ClusterIdentity() {}

    /// Empty if this user may not list namespaces, or there is none of that name yet.
    ///
    /// @throws DatastoreException if the server cannot be asked
    public static Optional<StoreIdentity> fetch(KubernetesSettings settings, RandomGenerator chance) {
        try (var client = ApiClient.of(settings, chance)) {
            var request = ApiRequest.list(
                    new Scope(NAMESPACES, "", ""), Map.of("fieldSelector", "metadata.name=kube-system"));
            var page = ApiJson.page(client.read(request, client.deadline()).body());
            return page.items().stream()
                    .map(item -> item.metadata().uid())
                    .map(uid -> new StoreIdentity("Kubernetes cluster " + uid, 0, page.revision()))
                    .findFirst();
        } catch (DatastoreException failed) {
            if (failed.kind() == Kind.DENIED) {
                return Optional.empty();
            }
            throw failed;
        }
    }
}
