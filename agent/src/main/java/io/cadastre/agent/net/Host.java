package io.cadastre.agent.net;

import io.cadastre.linux.Namespace;
import io.cadastre.wire.calico.endpoint.HostLinkName;
import io.cadastre.wire.cni.CalicoNetConfig;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The host that pods are attached to.
///
/// @param namespace opens the network namespace in which the hosts' ends of links lie
/// @param linkPrefix what the names of pods' links begin with
/// @param log takes a sentence for each failure that is not reported anywhere else
public record Host(
        Supplier<Namespace> namespace, HostFiles files, ReadinessProbe probe, String linkPrefix, Consumer<String> log) {

    /// The host of this process.
    ///
    /// @param node used in place of the file with the node's name where that does not exist
    /// @param linkPrefixes in Calico's form, divided by commas; empty for the usual one
    public static Host own(String node, String linkPrefixes, Consumer<String> log) {
        return new Host(
                Namespace::current,
                HostFiles.onDisk().standingIn(CalicoNetConfig.NODENAME_FILE, node),
                ReadinessProbe.http(),
                HostLinkName.firstPrefix(linkPrefixes),
                log);
    }
}
