package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.AllocatedRoute;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import java.util.List;

/// The answers of Spiderpool's agent about what a pod has.
final class PoolAnswers {

    private PoolAnswers() {}

    /// The answer to an ADD.
    ///
    /// @param detectsGateway whether the plugin is to look for the gateways
    /// @param detectsConflict whether it is to look for other holders of the addresses
    static IpamAddResponse response(List<Nic> nics, boolean detectsGateway, boolean detectsConflict) {
        return new IpamAddResponse(
                nics.stream()
                        .flatMap(nic -> nic.addresses().stream()
                                .map(address -> ip(nic, address).detecting(detectsGateway, detectsConflict)))
                        .toList(),
                nics.stream()
                        .flatMap(nic -> nic.allRoutes().stream().map(route -> route(nic, route.dst(), route.gw())))
                        .toList(),
                CniDns.NONE);
    }

    private static AllocatedIp ip(Nic nic, NicAddress address) {
        var ip = CniIp.of(address(address));
        return AllocatedIp.of(nic.name(), address.gateway().map(ip::withGateway).orElse(ip), address.pool());
    }

    private static InterfaceAddress address(NicAddress address) {
        return new InterfaceAddress(address.address(), address.length());
    }

    private static AllocatedRoute route(Nic nic, String dst, String gw) {
        return new AllocatedRoute(
                nic.name(), CniRoute.to(InterfaceAddress.parse(dst)).via(Address.parse(gw)));
    }

    /// What a pod has, for others than the plugin.
    static WorkloadEndpoint endpoint(PodIdentity pod, PodEndpoint endpoint) {
        return new WorkloadEndpoint(
                new PodIdentity(pod.namespace(), pod.name(), endpoint.uid()),
                endpoint.nics().stream()
                        .map(nic -> new WorkloadEndpoint.Nic(
                                nic.name(),
                                nic.addresses().stream()
                                        .map(PoolAnswers::address)
                                        .toList()))
                        .toList());
    }
}
