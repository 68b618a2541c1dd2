package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.TreeMap;

/// Calls the plugin for addresses on behalf of one call, with a configuration that may be another than
/// the caller's.
final class Ipam {

    private final Delegate delegate;
    private final CniCall call;
    private final NetworkConfig config;

    Ipam(Delegate delegate, CniCall call, NetworkConfig config) {
        this.delegate = delegate;
        this.call = call;
        this.config = config;
    }

    /// @throws CniException if there are no addresses
    CniResult add() {
        return add(lenientArguments());
    }

    /// Asks for this very address.
    CniResult add(Address address) {
        return add(asking(address));
    }

    private CniResult add(String args) {
        return delegate.perform(forwarded(CniVerb.ADD, call.containerId(), args))
                .filter(result -> !result.ips().isEmpty())
                .orElseThrow(() -> new CniException(CniCode.INTERNAL, "IPAM plugin returned missing IP config"));
    }

    void del() {
        del(call.containerId());
    }

    /// Gives back what another container of the same network has.
    void del(String containerId) {
        perform(CniVerb.DEL, containerId);
    }

    void check() {
        perform(CniVerb.CHECK, call.containerId());
    }

    /// Whether this very address is still the container's.
    void check(Address address) {
        delegate.perform(forwarded(CniVerb.CHECK, call.containerId(), asking(address)));
    }

    void collect() {
        perform(CniVerb.GC, call.containerId());
    }

    void status() {
        perform(CniVerb.STATUS, call.containerId());
    }

    private void perform(CniVerb verb, String containerId) {
        delegate.perform(forwarded(verb, containerId, lenientArguments()));
    }

    private String asking(Address address) {
        return "%s;IP=%s".formatted(lenientArguments(), address);
    }

    private String lenientArguments() {
        return CalicoNetConfig.lenient(call.args());
    }

    private CniCall forwarded(CniVerb verb, String containerId, String args) {
        var environment = new TreeMap<>(call.environment());
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", containerId);
        environment.put("CNI_ARGS", args);
        return new CniCall(verb, containerId, call.netns(), call.ifname(), args, call.path(), config, environment);
    }
}
