package io.cadastre.agent.net;

import io.cadastre.linux.MacAddress;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.calico.endpoint.Endpoints.Removal;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CalicoNetConfig.IpamChoice.Law;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.NetworkConfig;

/// Serves one DEL.
///
/// A pod is recorded by its name and not by its container, so that a late DEL of an old sandbox finds
/// the endpoint of the new one. It leaves that alone, with its interface, and gives back only what the
/// old sandbox had.
final class DelOperation {

    private DelOperation() {}

    static void del(NetContext context, CniCall call) {
        var config = CalicoNetConfig.read(call.config(), call.args());
        var node = context.preconditions().node(config.node());
        var workload = Workload.of(call, config, node);
        context.records().checkReady();
        try (var _ = context.turns().take(workload.turn())) {
            var spared =
                    switch (context.records().remove(workload, workload.name())) {
                        case Removal.Gone _ -> MacAddress.NONE;
                        case Removal.Kept(var endpoint) -> mac(endpoint);
                    };
            KernelWork.within(
                    context.kernelMax(),
                    "timed out deleting device in netns " + call.netns(),
                    () -> PodLink.removeFromPod(call.netns(), call.ifname(), spared));
        }
        context.ipam(config.ipam().type(), call, configOfIpam(config, call.config()))
                .del();
    }

    private static MacAddress mac(CalicoEndpoint kept) {
        try {
            return MacAddress.parse(kept.wire().mac());
        } catch (IllegalArgumentException unsaid) {
            return MacAddress.NONE;
        }
    }

    /// What the node has for its pods may have changed, or the node may be gone.
    static NetworkConfig configOfIpam(CalicoNetConfig config, NetworkConfig written) {
        return config.ipam().law() == Law.HOST_LOCAL ? PodCidrs.replaceWithDummies(written) : written;
    }
}
