package io.cadastre.agent;

import io.cadastre.wire.cni.CniPlugin;

/// What the agent does for those who call by one name.
@FunctionalInterface
public interface Plugin {

    /// The plugin for one call.
    ///
    /// @param withdrawal learns what is to be undone if the answer does not arrive
    CniPlugin forCall(Withdrawal withdrawal);

    /// One of whose answers nothing needs to be undone.
    static Plugin of(CniPlugin plugin) {
        return _ -> plugin;
    }
}
