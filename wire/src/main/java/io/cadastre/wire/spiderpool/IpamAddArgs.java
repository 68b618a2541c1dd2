package io.cadastre.wire.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.stream.Stream;

/// The form in which the agent is asked for the addresses of a pod.
///
/// @param ifName the interface that the call is about; the agent may allocate for others of the pod too
/// @param netNamespace the path of the pod's network namespace
/// @param ipv4Pools the pools that the configuration of the network names, best first
/// @param ipv6Pools the pools that the configuration of the network names, best first
/// @param cleanGateway whether the pod gets no default route
/// @param matchMasterSubnet whether only pools count that are of the subnet of the host's interface
public record IpamAddArgs(
        String containerId,
        String ifName,
        String netNamespace,
        PodIdentity pod,
        List<String> ipv4Pools,
        List<String> ipv6Pools,
        boolean cleanGateway,
        boolean matchMasterSubnet) {

    private static final List<String> REQUIRED = Stream.concat(
                    Stream.of("containerID", "ifName", "netNamespace"), PodIdentity.REQUIRED.stream())
            .toList();

    public IpamAddArgs {
        ipv4Pools = List.copyOf(ipv4Pools);
        ipv6Pools = List.copyOf(ipv6Pools);
    }

    /// Reads the form.
    ///
    /// @throws UnreadableFormException if it is not one
    public static IpamAddArgs parse(Bytes body) {
        return Form.read(body, REQUIRED, IpamAddArgs::read);
    }

    private static IpamAddArgs read(Members form) {
        return new IpamAddArgs(
                form.text("containerID"),
                form.text("ifName"),
                form.text("netNamespace"),
                PodIdentity.read(form),
                Form.texts(form, "defaultIPv4IPPool"),
                Form.texts(form, "defaultIPv6IPPool"),
                form.flag("cleanGateway"),
                form.flag("matchMasterSubnet"));
    }

    public Bytes encode() {
        var form = Json.emptyObject()
                .put("containerID", containerId)
                .put("ifName", ifName)
                .put("netNamespace", netNamespace);
        pod.write(form);
        Form.putTexts(form, "defaultIPv4IPPool", ipv4Pools);
        Form.putTexts(form, "defaultIPv6IPPool", ipv6Pools);
        form.put("cleanGateway", cleanGateway).put("matchMasterSubnet", matchMasterSubnet);
        return Form.write(form);
    }
}
