package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.probe.ArpProbe;
import io.cadastre.linux.probe.NdpProbe;
import io.cadastre.linux.probe.ProbeTiming;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.spiderpool.AllocatedIp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/// Finds out on the pod's own interface whether its addresses are usable, before the pod has them.
///
/// All addresses are probed at once, and for conflicts before gateways: asking for a gateway in the name of
/// an address that another host has would misdirect that host's packets.
///
/// Spiderpool's plugin takes the first 100 ms of silence for an answer. This one asks three times, and it
/// counts whatever shows that another host has an address, not only replies.
///
/// @param ifname the interface of the pod
record ConflictDetection(Namespace namespace, String ifname, ProbeTiming timing, Pause pause, Consumer<String> log) {

    /// More than one interface has; each is asked for by a thread of its own.
    private static final int DETECTED_MAX = 32;

    /// Together 300 ms, so that with the usual probes all of it takes less than a second.
    private static final int CARRIER_LOOKS_MAX = 30;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /// Why an address is of no use.
    sealed interface Finding {

        String sentence();

        /// Another host has it.
        record Conflict(String ifname, Address address, MacAddress holder) implements Finding {
            @Override
            public String sentence() {
                return "ip conflict: pod's interface %s with an conflicting ip %s, %s is located at %s"
                        .formatted(ifname, address, address, holder);
            }
        }

        /// No host answers at the gateway's address.
        record SilentGateway(Address gateway) implements Finding {
            @Override
            public String sentence() {
                return "gateway %s is unreachable".formatted(gateway);
            }
        }
    }

    /// Looks at those of the addresses that are to be looked at.
    ///
    /// @return the first finding, if there is any
    /// @throws CniException if it cannot be found out
    Optional<Finding> find(List<AllocatedIp> ips) throws InterruptedException {
        var flagged = ips.stream()
                .filter(ip -> ip.detectsConflict() || ip.detectsGateway())
                .toList();
        if (flagged.isEmpty()) {
            return Optional.empty();
        }
        if (flagged.size() > DETECTED_MAX) {
            throw failed("%d addresses to check for conflicts, more than %d".formatted(flagged.size(), DETECTED_MAX));
        }
        try {
            var link = setUp();
            var conflict =
                    first(flagged.stream().filter(AllocatedIp::detectsConflict).toList(), ip -> findConflict(link, ip));
            return conflict.isPresent()
                    ? conflict
                    : first(flagged.stream().filter(AllocatedIp::detectsGateway).toList(), ip -> findSilence(link, ip));
        } catch (LinuxException refused) {
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL,
                            "failed to detect on interface %s: %s".formatted(ifname, refused.getMessage())),
                    refused);
        }
    }

    private static CniException failed(String why) {
        return new CniException(CniCode.INTERNAL, why);
    }

    /// The link must be there: the main plugin makes it before it asks for addresses. What is sent before
    /// the other end is ready would be lost, and silence taken for an answer. Hardware needs a moment for
    /// it; after that, silence is what there is.
    private Link setUp() throws InterruptedException {
        try (var netlink = Netlink.open(namespace)) {
            var link = netlink.links()
                    .find(ifname)
                    .orElseThrow(() -> failed("failed to get link %s of the pod: not found".formatted(ifname)));
            if (link.mac().equals(MacAddress.NONE)) {
                throw failed("link %s of the pod has no hardware address".formatted(ifname));
            }
            netlink.links().setUp(link.index());
            for (int look = 1; look < CARRIER_LOOKS_MAX && !hasCarrier(netlink, link); look++) {
                pause.pause(BETWEEN_LOOKS);
            }
            return link;
        }
    }

    private static boolean hasCarrier(Netlink netlink, Link link) {
        return netlink.links().find(link.index()).map(Link::carrier).orElse(false);
    }

    private Optional<Finding> findConflict(Link link, AllocatedIp allocated) {
        var candidate = allocated.ip().address().ip();
        var holder =
                switch (allocated.family()) {
                    case IPV4 -> new ArpProbe(namespace, link, timing).findHolder(candidate);
                    case IPV6 -> new NdpProbe(namespace, link, timing).findHolder(candidate);
                };
        return holder.map(mac -> new Finding.Conflict(ifname, candidate, mac));
    }

    /// IPv6 is asked in the name of the link itself, as Spiderpool does: then other hosts learn nothing
    /// about an address that may not have been probed. IPv4 has no such name.
    private Optional<Finding> findSilence(Link link, AllocatedIp allocated) {
        var gateway = allocated.ip().gateway();
        if (gateway.isEmpty()) {
            return Optional.empty();
        }
        var own = allocated.ip().address().ip();
        var answer =
                switch (allocated.family()) {
                    case IPV4 -> new ArpProbe(namespace, link, timing).findGateway(own, gateway.get());
                    case IPV6 ->
                        new NdpProbe(namespace, link, timing)
                                .findGateway(link.mac().linkLocal(), gateway.get());
                };
        return answer.isPresent() ? Optional.empty() : Optional.of(new Finding.SilentGateway(gateway.get()));
    }

    /// Asks about all of them at the same time, and returns the first finding in their order.
    private static Optional<Finding> first(List<AllocatedIp> ips, Function<AllocatedIp, Optional<Finding>> question)
            throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = new ArrayList<Future<Optional<Finding>>>();
            for (var ip : ips) {
                asked.add(threads.submit(() -> question.apply(ip)));
            }
            for (var answer : asked) {
                var finding = answer.get();
                if (finding.isPresent()) {
                    return finding;
                }
            }
            return Optional.empty();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(failed);
            }
        }
    }

    /// Announces to all hosts on the link that the pod has the addresses now. A link that is not up yet
    /// announces nothing.
    void announce(List<AllocatedIp> ips) {
        try (var netlink = Netlink.open(namespace)) {
            var link = netlink.links().find(ifname);
            if (link.isPresent() && link.get().up()) {
                ips.forEach(ip -> announce(link.get(), ip));
            }
        } catch (LinuxException refused) {
            log.accept("addresses are not announced: " + refused.getMessage());
        }
    }

    private void announce(Link link, AllocatedIp allocated) {
        var own = allocated.ip().address().ip();
        switch (allocated.family()) {
            case IPV4 -> new ArpProbe(namespace, link, timing).announce(own);
            case IPV6 -> new NdpProbe(namespace, link, timing).announce(own);
        }
    }
}
