package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.resource.ApiResource;
import java.util.SortedSet;
import java.util.random.RandomGenerator;

/// Which groups of objects an API server has.
public final class ApiGroups {

    private static final ApiResource GROUPS =
            new ApiResource("", "v1", "apigroups", "APIGroup", ApiResource.Reach.CLUSTER, ApiResource.Removal.AT_ONCE);

    private ApiGroups() {}

    /// The names of the groups.
    ///
    /// @throws DatastoreException if the server cannot be asked
    public static SortedSet<String> fetch(KubernetesSettings settings, RandomGenerator chance) {
        try (var client = ApiClient.of(settings, chance)) {
            var request = new ApiRequest(Verb.GET, GROUPS, "its API groups", "apis", "");
            return ApiJson.groups(client.read(request, client.deadline()).body());
        }
    }
}
