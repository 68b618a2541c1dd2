package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.Json;
import java.util.List;

/// Spiderpool's objects as an API server has them. The records of pools and subnets are written to the subresource
/// `status`; an endpoint has none.
public final class SpiderResources {

    private static final ApiResource POOL =
            resource(SpiderKinds.POOL, Reach.CLUSTER, Rewriting.PER_PART, Trees.FINALIZER);

    private static final ApiResource SUBNET =
            resource(SpiderKinds.SUBNET, Reach.CLUSTER, Rewriting.PER_PART, Trees.FINALIZER);

    public static final List<ApiResource> ALL = List.of(
            POOL,
            SUBNET,
            resource(SpiderKinds.RESERVED, Reach.CLUSTER, Rewriting.WHOLE, ""),
            resource(SpiderKinds.ENDPOINT, Reach.NAMESPACED, Rewriting.WHOLE, Trees.FINALIZER),
            resource(SpiderKinds.MULTUS_CONFIG, Reach.NAMESPACED, Rewriting.WHOLE, ""),
            resource(SpiderKinds.COORDINATOR, Reach.CLUSTER, Rewriting.PER_PART, Trees.FINALIZER));

    private SpiderResources() {}

    private static ApiResource resource(ResourceKind kind, Reach reach, Rewriting rewriting, String finalizer) {
        var version = kind.traits().apiVersion();
        int slash = version.indexOf('/');
        return new ApiResource(
                version.substring(0, slash),
                version.substring(slash + 1),
                kind.traits().plural(),
                kind.word(),
                reach,
                Removal.AT_ONCE,
                rewriting,
                finalizer);
    }

    /// Whether an object whose deletion begins has to stay: a pool does while pods have addresses of it, a subnet while
    /// pools have.
    public static boolean inUse(ApiResource resource, Bytes object) {
        return (resource.equals(POOL) && hasText(resource, object, "/status/allocatedIPs"))
                || (resource.equals(SUBNET) && hasText(resource, object, "/status/controlledIPPools"));
    }

    private static boolean hasText(ApiResource resource, Bytes object, String field) {
        return Json.readObject(resource.kind(), object).at(field).isTextual();
    }
}
