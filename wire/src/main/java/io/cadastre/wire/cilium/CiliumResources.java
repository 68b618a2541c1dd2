package io.cadastre.wire.cilium;

import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import java.util.List;

/// Cilium's objects as an API server has them. The status of a node is written to the subresource `status`.
public final class CiliumResources {

    public static final List<ApiResource> ALL = List.of(
            resource(CiliumKinds.NODE, CiliumKeys.NODE_VERSION, Rewriting.PER_PART),
            resource(CiliumKinds.POOL, CiliumKeys.POOL_VERSION, Rewriting.WHOLE));

    private CiliumResources() {}

    private static ApiResource resource(CiliumKind kind, String version, Rewriting rewriting) {
        return new ApiResource(
                CiliumKeys.GROUP,
                version,
                kind.traits().plural(),
                kind.word(),
                Reach.CLUSTER,
                Removal.AT_ONCE,
                rewriting,
                "");
    }
}
