package io.cadastre.agent;

import io.cadastre.wire.cni.CniPlugin;

/// What the agent does for calls by one plugin name.
@FunctionalInterface
public interface Plugin {

    /// The plugin for one call.
    ///
    /// @param withdrawal learns what is to be undone if the answer does not arrive
    CniPlugin forCall(Withdrawal withdrawal);

    /// Whether it may start programs that call this agent for the same container. Their calls must not wait
    /// for the one that they serve.
    default boolean startsPrograms() {
        return false;
    }

    /// One of whose answers nothing needs to be undone.
    static Plugin of(CniPlugin plugin) {
        return _ -> plugin;
    }
}
