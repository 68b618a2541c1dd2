package io.cadastre.engine.pool;

import java.util.List;

/// By which network attachment definitions the interfaces of a pod are made.
///
/// @param first the namespace, a slash and the name of the one of the first interface; empty if it is
///     not known
/// @param further those of the others
/// @param home the namespace of a pool's network that is named without one
public record Networks(String first, Further further, String home) {

    /// Those of the interfaces after the first.
    public sealed interface Further {

        record Listed(List<Network> networks) implements Further {
            public Listed {
                networks = List.copyOf(networks);
            }
        }

        /// Nothing, or something that cannot be read.
        record Unreadable(String fault) implements Further {}
    }

    /// That of one interface.
    ///
    /// @param name the namespace, a slash and the name
    /// @param nic the interface; empty if it is known by its place in the list
    public record Network(String name, String nic) {}

    /// A pod of which no networks are known.
    public static Networks unknown(String home) {
        return new Networks("", new Further.Unreadable("there is none"), home);
    }
}
