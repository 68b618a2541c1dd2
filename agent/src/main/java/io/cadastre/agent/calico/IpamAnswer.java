package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.AttachResult;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import java.util.ArrayList;
import java.util.List;

/// What is reported to a runtime about the addresses that it was given.
///
/// @param gateways the gateway to report for each address of the same family
record IpamAnswer(CniCall call, List<Address> gateways) {

    /// The member of `ipam` that asks for addresses that stand alone, and not in their block.
    private static final String FULL_MASK = "full_mask";

    /// The member of `ipam` that names them.
    private static final String GATEWAYS = "gateways";

    IpamAnswer {
        gateways = List.copyOf(gateways);
    }

    /// The answer to an ADD.
    ///
    /// @throws CniException if what its configuration calls a gateway is not an address
    static IpamAnswer to(CniCall call) {
        return new IpamAnswer(call, gateways(call));
    }

    CniResult result(List<AssignedAddress> leases, AttachResult.Use use) {
        boolean alone = call.config().ipam().map(ipam -> ipam.flag(FULL_MASK)).orElse(false);
        var addresses = leases.stream()
                .map(lease -> alone
                        ? InterfaceAddress.single(lease.address())
                        : new InterfaceAddress(lease.address(), lease.network().length()))
                .toList();
        return CniResult.ofAddresses(
                addresses.stream().map(this::ip).toList(),
                use == AttachResult.Use.ALONE ? routes(addresses) : List.of(),
                CniDns.NONE);
    }

    private CniIp ip(InterfaceAddress address) {
        var ip = CniIp.of(address);
        return gateways.stream()
                .filter(gateway -> gateway.family() == address.family())
                .findFirst()
                .map(ip::withGateway)
                .orElse(ip);
    }

    /// Calico's rules have no gateways, but some plugins of other projects need one.
    private static List<Address> gateways(CniCall call) {
        var gateways = new ArrayList<Address>();
        for (var text : call.config().ipam().map(ipam -> ipam.texts(GATEWAYS)).orElse(List.of())) {
            try {
                gateways.add(Address.parse(text));
            } catch (IllegalArgumentException _) {
                throw new CniException(
                        CniCode.INVALID_NETWORK_CONFIG, "ipam.%s: '%s' is not an address".formatted(GATEWAYS, text));
            }
        }
        return gateways;
    }

    /// Calico's plugin reports a route to each address, which only Calico's own main plugin can handle:
    /// other plugins would add it to the namespace and fail.
    private List<CniRoute> routes(List<InterfaceAddress> addresses) {
        boolean underOwnName =
                call.config().ipam().map(ipam -> ipam.text("type")).orElse("").equals(ServedPlugins.OWN_NAME);
        return underOwnName ? List.of() : addresses.stream().map(CniRoute::to).toList();
    }
}
