package io.cadastre.agent.net;

import io.cadastre.linux.MacAddress;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.cni.CalicoAnnotations.Choice;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CalicoNetConfig.IpamChoice.Law;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniInterface;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniResult;
import java.util.HashSet;
import java.util.List;

/// Serves one CHECK: whether what the ADD answered is still so.
final class CheckOperation {

    private CheckOperation() {}

    static void check(NetContext context, CniCall call) {
        var config = CalicoNetConfig.read(call.config(), call.args());
        var workload = Workload.of(call, config, context.preconditions().node(config.node()));
        checkIpam(context, call, config, PodFacts.fetch(context.pods(), config, workload));
        var shown = call.config()
                .prevResult()
                .orElseThrow(() -> new CniException(CniCode.INTERNAL, "required prevResult missing"));
        var endpoint = endpoint(context, workload);
        var plan = plan(call, config, endpoint, shown);
        checkAddresses(endpoint, plan);
        try (var link = PodLink.open(context.host(), call.netns(), context.pause())) {
            link.check(plan, mac(call, shown));
        }
    }

    /// However the addresses were chosen, the plugin that is asked now gave them.
    private static void checkIpam(NetContext context, CniCall call, CalicoNetConfig config, PodFacts facts) {
        var edited = config.ipam().law() == Law.CALICO
                ? facts.annotations().applyTo(call.config())
                : DelOperation.configOfIpam(config, call.config());
        var ipam = context.ipam(config.ipam().type(), call, edited);
        switch (facts.annotations().choice(config)) {
            case Choice.Automatic _ -> ipam.check();
            case Choice.Requested(var addresses) -> addresses.forEach(ipam::check);
            case Choice.Imposed _ -> {}
        }
    }

    private static LinkPlan plan(CniCall call, CalicoNetConfig config, CalicoEndpoint endpoint, CniResult shown) {
        boolean left = config.orchestrator() == Orchestrator.K8S
                && config.ipam().type().equals(AddOperation.CALICO_IPAM)
                && shown.routes().isEmpty();
        return new LinkPlan(
                call.ifname(),
                endpoint.wire().hostLink(),
                LinkPlan.Device.VETH,
                0,
                1,
                MacAddress.NONE,
                config.link().forwarding(),
                shown.ips().stream()
                        .filter(ip -> isOf(call, ip, shown.interfaces()))
                        .map(ip -> ip.address().ip())
                        .toList(),
                PodRoutes.of(config, call.config()),
                left ? LinkPlan.HostRoutes.LEFT_TO_OTHERS : LinkPlan.HostRoutes.ADDED);
    }

    /// Later plugins may have added interfaces with addresses of their own.
    private static boolean isOf(CniCall call, CniIp ip, List<CniInterface> interfaces) {
        var index = ip.interfaceIndex();
        return index.isEmpty()
                || (index.getAsInt() >= 0
                        && index.getAsInt() < interfaces.size()
                        && isOurs(call, interfaces.get(index.getAsInt())));
    }

    private static boolean isOurs(CniCall call, CniInterface other) {
        return other.name().equals(call.ifname()) && !other.sandbox().isEmpty();
    }

    private static MacAddress mac(CniCall call, CniResult shown) {
        return shown.interfaces().stream()
                .filter(other -> isOurs(call, other))
                .map(CniInterface::mac)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(MacAddress::parse)
                .orElse(MacAddress.NONE);
    }

    private static CalicoEndpoint endpoint(NetContext context, Workload workload) {
        var endpoint = context.records()
                .find(workload)
                .orElseThrow(() -> new CniException(CniCode.INTERNAL, "missing endpoint " + workload.name()));
        if (!endpoint.isOf(workload.containerId())) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "endpoint %s now belongs to container %s"
                            .formatted(endpoint.name(), endpoint.holder().containerId()));
        }
        return endpoint;
    }

    private static void checkAddresses(CalicoEndpoint endpoint, LinkPlan plan) {
        var recorded = new HashSet<>(endpoint.wire().addresses());
        for (var address : plan.addresses()) {
            if (!recorded.contains(address)) {
                throw new CniException(
                        CniCode.INTERNAL, "endpoint %s does not have %s".formatted(endpoint.name(), address));
            }
        }
    }
}
