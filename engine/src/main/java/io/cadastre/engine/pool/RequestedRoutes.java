package io.cadastre.engine.pool;

import java.util.List;

/// The routes that a pod asks for.
public sealed interface RequestedRoutes {

    /// None.
    RequestedRoutes NONE = new Listed(List.of());

    /// Those whose gateways can be read as addresses.
    record Listed(List<PodRoute> routes) implements RequestedRoutes {
        public Listed {
            routes = List.copyOf(routes);
        }
    }

    /// Something that cannot be read.
    record Broken(String sentence) implements RequestedRoutes {}
}
