package io.cadastre.agent.net;

import io.cadastre.linux.LinuxException;
import io.cadastre.linux.Netlink;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.ValidAttachments;
import java.util.ArrayList;
import java.util.List;

/// Serves one GC: removes what this plugin attached to the network on this node and the runtime does not
/// know any more. Goes on after a failure, and reports all of them.
final class GcOperation {

    private final NetContext context;
    private final CniCall call;
    private final CalicoNetConfig config;
    private final List<String> faults = new ArrayList<>();

    private GcOperation(NetContext context, CniCall call, CalicoNetConfig config) {
        this.context = context;
        this.call = call;
        this.config = config;
    }

    static void collect(NetContext context, CniCall call) {
        call.config()
                .validAttachments()
                .ifPresent(valid ->
                        new GcOperation(context, call, CalicoNetConfig.read(call.config(), "")).collect(valid));
    }

    private void collect(ValidAttachments valid) {
        context.records().checkReady();
        var node = context.preconditions().node(config.node());
        for (var endpoint : context.records().fetch(node)) {
            // A pod that has two interfaces is recorded by the first only.
            boolean stale = endpoint.network().equals(config.network())
                    && !valid.containsContainer(endpoint.holder().containerId());
            if (stale) {
                attempt(() -> remove(endpoint));
            }
        }
        // As long as an interface may have an address, it must not be given to another.
        if (faults.isEmpty()) {
            attempt(() -> context.ipam(config.ipam().type(), call, DelOperation.configOfIpam(config, call.config()))
                    .collect());
        }
        if (!faults.isEmpty()) {
            throw new CniException(CniCode.INTERNAL, "not everything could be collected", String.join("; ", faults));
        }
    }

    private void remove(CalicoEndpoint endpoint) {
        try (var host = context.host().namespace().get();
                var netlink = Netlink.open(host)) {
            netlink.links()
                    .find(endpoint.wire().hostLink())
                    .ifPresent(link -> netlink.links().delete(link.index()));
        }
        context.records()
                .remove(
                        new Workload(
                                config.network(),
                                endpoint.namespace(),
                                endpoint.holder().pod(),
                                "",
                                endpoint.holder().containerId(),
                                endpoint.name()),
                        endpoint.name());
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (CniException | LinuxException failure) {
            faults.add(String.valueOf(failure.getMessage()));
        }
    }
}
