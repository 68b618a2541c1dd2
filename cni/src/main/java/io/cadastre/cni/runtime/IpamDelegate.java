package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.TreeMap;

/// The plugin for addresses that a plugin for interfaces calls. It gets the whole configuration of the
/// network, and the environment of the call but for the verb.
///
/// @param runner runs the plugin; what it inherits is overridden by the environment of the call
/// @param call that is being handled
/// @param type the name of the delegate's file
public record IpamDelegate(PluginRunner runner, CniCall call, String type) {

    /// Asks for addresses.
    ///
    /// @return the result in the newest version, with at least one address
    /// @throws CniException in the words of the delegate if it fails
    public CniResult add(NetworkConfig config, Deadline deadline) {
        var result = CniRuntime.readResult(run(CniVerb.ADD, config, deadline), config.cniVersion())
                .convert(CniVersion.NEWEST);
        if (result.ips().isEmpty()) {
            throw new CniException(CniCode.INTERNAL, "IPAM plugin returned missing IP config");
        }
        return result;
    }

    /// Calls a verb that answers nothing: DEL, CHECK, STATUS or GC.
    ///
    /// @throws CniException in the words of the delegate if it fails
    public void call(CniVerb verb, NetworkConfig config, Deadline deadline) {
        run(verb, config, deadline);
    }

    private Bytes run(CniVerb verb, NetworkConfig config, Deadline deadline) {
        var variables = new TreeMap<>(call.environment());
        variables.put("CNI_COMMAND", verb.name());
        return runner.run(new PluginPath(call.path()).find(type), config.raw(), variables, deadline);
    }
}
