package io.cadastre.engine.pool;

import java.util.List;

/// By which network attachment definitions the interfaces of a pod are made.
///
/// @param home the namespace of a pool's network that is named without one
public record Networks(First first, Further further, String home) {

    /// That of the first interface.
    public sealed interface First {

        /// The pod or the cluster names this one.
        ///
        /// @param name the namespace, a slash and the name
        record Named(String name) implements First {}

        /// Neither the pod nor the cluster names one.
        record Unnamed() implements First {}
    }

    /// Those of the interfaces after the first.
    public sealed interface Further {

        record Listed(List<Network> networks) implements Further {
            public Listed {
                networks = List.copyOf(networks);
            }
        }

        /// Nothing, or something that cannot be read.
        record Unreadable(String fault) implements First, Further {}
    }

    /// That of one interface.
    ///
    /// @param name the namespace, a slash and the name
    /// @param nic the interface; empty if it is known by its place in the list
    public record Network(String name, String nic) {}

    /// A pod of which no networks are known.
    public static Networks unknown(String home) {
        return new Networks(new First.Unnamed(), new Further.Unreadable("there is none"), home);
    }
}
