package io.cadastre.agent.net;

import io.cadastre.agent.KeyedLock;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.agent.Withdrawal;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.NetworkConfig;
import java.time.Duration;

/// All that a call is served with.
///
/// @param plugins those for addresses that need no program to be started
/// @param turns of workloads: two sandboxes of one pod have the same link on the host and the same endpoint
/// @param kernelMax how long a DEL waits for the kernel
record NetContext(
        Host host,
        AddPreconditions preconditions,
        EndpointRecords records,
        PodLookup pods,
        ServedPlugins plugins,
        KeyedLock turns,
        Duration kernelMax,
        Pause pause) {

    /// The plugin for addresses that a network names. A program that only calls this process again would be a detour,
    /// and its call would wait for the one that it serves: so this process is asked first.
    ///
    /// The caller takes back what it is given if its own answer does not arrive.
    ///
    /// @param config what the plugin is to see
    /// @throws CniException if there is none
    Ipam ipam(String type, CniCall call, NetworkConfig config) {
        var delegate = plugins.find(type, call.config())
                .<Delegate>map(plugin -> plugin.forCall(new Withdrawal())::perform)
                .orElseGet(() -> ExecutedDelegate.find(type, call.path(), pause, host.log()));
        return new Ipam(delegate, call, config);
    }
}
