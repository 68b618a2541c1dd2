package io.cadastre.agent.net;

import io.cadastre.linux.MacAddress;
import io.cadastre.wire.calico.endpoint.Endpoint;
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
final class Detaching {

    private Detaching() {}

    static void del(Site site, CniCall call) {
        var config = CalicoNetConfig.read(call.config(), call.args());
        var node = site.gates().node(config.node());
        var workload = Workload.of(call, config, node);
        site.records().checkReady();
        try (var _ = site.turns().take(workload.turn())) {
            var spared =
                    switch (site.records().remove(workload, workload.name())) {
                        case Removal.Gone _ -> MacAddress.NONE;
                        case Removal.Kept(var endpoint) -> mac(endpoint);
                    };
            KernelWork.within(
                    site.kernelMax(),
                    "timed out deleting device in netns " + call.netns(),
                    () -> Wiring.removeFromPod(call.netns(), call.ifname(), spared));
        }
        new Ipam(
                        site.delegates().find(config.ipam().type(), call),
                        call,
                        configOfIpam(config, call.config()))
                .del();
    }

    private static MacAddress mac(Endpoint kept) {
        try {
            return MacAddress.parse(kept.wire().mac());
        } catch (IllegalArgumentException unsaid) {
            return MacAddress.NONE;
        }
    }

    /// What the node has for its pods may have changed, or the node may be gone.
    static NetworkConfig configOfIpam(CalicoNetConfig config, NetworkConfig written) {
        return config.ipam().law() == Law.HOST_LOCAL
                ? PodCidrs.replaceWithDummies(written)
                : written;
    }
}
