package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.HostLocalConfig;
import io.cadastre.wire.cni.InterfaceAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A plugin for addresses that answers as host-local does and remembers in memory whom it gave what.
final class TrialHostLocal {

    private final Map<String, List<Address>> held = new TreeMap<>();

    CniPlugin plugin() {
        return CniPlugin.supporting(CniVersion.KNOWN)
                .onAdd(this::add)
                .onDel(call -> held.remove(call.containerId()))
                .onCheck(this::check);
    }

    /// What a container has.
    List<Address> of(String containerId) {
        return held.getOrDefault(containerId, List.of());
    }

    private CniResult add(CniCall call) {
        var config = HostLocalConfig.read(call.config(), call.args());
        if (held.containsKey(call.containerId())) {
            throw new IllegalStateException("duplicate allocation is not allowed");
        }
        var ips = new ArrayList<CniIp>();
        for (var set : config.rangeSets()) {
            var subnet = set.getFirst().subnet().orElseThrow().network();
            var address =
                    config.requested().stream()
                            .filter(subnet::contains)
                            .findFirst()
                            .orElseGet(() -> firstFree(subnet.first().plus(2)));
            ips.add(
                    CniIp.of(new InterfaceAddress(address, subnet.length()))
                            .withGateway(subnet.first().next()));
        }
        held.put(call.containerId(), ips.stream().map(ip -> ip.address().ip()).toList());
        return CniResult.ofAddresses(ips, config.routes(), CniDns.NONE);
    }

    private Address firstFree(Address first) {
        var address = first;
        while (isHeld(address)) {
            address = address.next();
        }
        return address;
    }

    private boolean isHeld(Address address) {
        return held.values().stream().anyMatch(addresses -> addresses.contains(address));
    }

    private void check(CniCall call) {
        if (of(call.containerId()).isEmpty()) {
            throw new IllegalStateException(
                    "host-local: Failed to find address added by container " + call.containerId());
        }
    }
}
