package io.cadastre.agent.net;

import io.cadastre.address.Prefix;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CalicoNetConfig.IpamChoice.Law;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.List;
import java.util.stream.Stream;

/// Where a pod may go. Its gateway is always the same, so that only destinations count.
final class PodRoutes {

    private static final List<Prefix> DEFAULTS = List.of(Prefix.parse("0.0.0.0/0"), Prefix.parse("::/0"));

    private PodRoutes() {}

    /// Those that host-local is configured with, for a pod; or else everywhere.
    static List<Prefix> of(CalicoNetConfig config, NetworkConfig written) {
        boolean configurable = config.ipam().law() == Law.HOST_LOCAL && config.orchestrator() == Orchestrator.K8S;
        var configured = configurable ? configured(written) : List.<Prefix>of();
        if (configured.isEmpty()) {
            return DEFAULTS;
        }
        return config.link().defaultRoutes()
                ? Stream.concat(DEFAULTS.stream(), configured.stream())
                        .distinct()
                        .toList()
                : configured;
    }

    private static List<Prefix> configured(NetworkConfig written) {
        return written.ipam().stream()
                .flatMap(ipam -> ipam.objects("routes").stream())
                .map((Members route) -> route.text("dst"))
                .filter(destination -> !destination.isEmpty())
                .map(destination -> InterfaceAddress.parse(destination).network())
                .distinct()
                .toList();
    }
}
