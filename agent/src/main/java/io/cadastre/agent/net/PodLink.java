package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.linux.Errno;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Neighbour;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.Route;
import io.cadastre.linux.Sysctl;
import io.cadastre.linux.VethEnd;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The link between one pod and its host, in the manner of Calico.
///
/// The pod is alone in its network. It reaches everything through a gateway address that no interface has:
/// the host answers for 169.254.1.1 by proxy ARP, and for IPv6 it is the host's own link-local address,
/// which follows from a MAC that is the same for all. So a pod's routes never change.
final class PodLink implements AutoCloseable {

    static final MacAddress HOST_MAC = MacAddress.parse("ee:ee:ee:ee:ee:ee");
    static final Prefix GATEWAY = Prefix.parse("169.254.1.1/32");

    private static final Duration BETWEEN_MAC_TRIES = Duration.ofMillis(100);
    private static final int MAC_TRIES_MAX = 50;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    /// Five seconds: on a busy machine the kernel takes its time to notice that both ends are up.
    private static final int LOOKS_MAX = 100;

    private final Namespace host;
    private final Namespace pod;
    private final Netlink onHost;
    private final Netlink inPod;
    private final Pause pause;
    private final Consumer<String> log;

    private PodLink(Namespace host, Namespace pod, Netlink onHost, Netlink inPod, Pause pause, Consumer<String> log) {
        this.host = host;
        this.pod = pod;
        this.onHost = onHost;
        this.inPod = inPod;
        this.pause = pause;
        this.log = log;
    }

    /// Between this host and the namespace that the path leads to.
    ///
    /// @throws CniException if it leads to none
    static PodLink open(Host host, String netns, Pause pause) {
        var pod = openPod(netns);
        try {
            var own = host.namespace().get();
            try {
                return open(own, pod, pause, host.log());
            } catch (RuntimeException failure) {
                own.close();
                throw failure;
            }
        } catch (RuntimeException failure) {
            pod.close();
            throw failure;
        }
    }

    private static Namespace openPod(String netns) {
        try {
            return Namespace.open(netns);
        } catch (LinuxException none) {
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL,
                            "failed to open netns %s: %s".formatted(GoText.quote(netns), none.getMessage())),
                    none);
        }
    }

    private static PodLink open(Namespace host, Namespace pod, Pause pause, Consumer<String> log) {
        var onHost = Netlink.open(host);
        try {
            return new PodLink(host, pod, onHost, Netlink.open(pod), pause, log);
        } catch (RuntimeException failure) {
            onHost.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        inPod.close();
        onHost.close();
        host.close();
        pod.close();
    }

    /// Both ends of a link.
    record Pair(Link host, Link pod) {}

    /// Makes the link, in the place of one whose host's end has the same name. Nothing is up yet.
    ///
    /// @throws LinuxException with `EEXIST` if the pod has an interface of that name
    Pair create(LinkPlan plan) {
        removeFromHost(plan.hostLink());
        var outside = end(plan.hostLink(), plan).withMac(HOST_MAC);
        var inside = end(plan.ifname(), plan);
        switch (plan.device()) {
            case VETH -> inPod.links().createVeth(inside, outside, host);
            case NETKIT -> createNetkit(outside, inside);
        }
        var podEnd = find(inPod, plan.ifname(), "pod");
        try {
            return new Pair(hostEnd(plan.hostLink(), podEnd), podEnd);
        } catch (RuntimeException failure) {
            remove(inPod, podEnd);
            throw failure;
        }
    }

    /// The host's end is the primary one: programs attached to it control both ends.
    private void createNetkit(VethEnd outside, VethEnd inside) {
        try {
            onHost.links().createNetkit(outside, inside, pod);
        } catch (LinuxException failure) {
            if (failure.errno() != Errno.EOPNOTSUPP) {
                throw failure;
            }
            log.accept("the kernel does not support netkit, so %s is a veth".formatted(outside.name()));
            inPod.links().createVeth(inside, outside, host);
        }
    }

    /// The host's end of this very link, and of no other that has taken its name since.
    private Link hostEnd(String name, Link podEnd) {
        var found = find(onHost, name, "host");
        boolean other =
                switch (podEnd.counterpart()) {
                    case Link.Counterpart.None _ -> false;
                    case Link.Counterpart.Here(int index) -> index != found.index();
                    case Link.Counterpart.Elsewhere(int index, var _) -> index != found.index();
                };
        if (other) {
            throw new CniException(
                    CniCode.TRY_AGAIN_LATER, "another process created %s meanwhile".formatted(GoText.quote(name)));
        }
        return found;
    }

    private static VethEnd end(String name, LinkPlan plan) {
        return VethEnd.named(name).withMtu(plan.mtu()).withQueues(plan.queues(), plan.queues());
    }

    private static Link find(Netlink netlink, String name, String where) {
        return netlink.links()
                .find(name)
                .orElseThrow(() -> new CniException(
                        CniCode.INTERNAL, "failed to lookup %s on the %s".formatted(GoText.quote(name), where)));
    }

    Optional<Link> findHostLink(String name) {
        return onHost.links().find(name);
    }

    /// Removes the host's end of this name, and thereby the pod's. It is not a failure if there is none.
    void removeFromHost(String name) {
        onHost.links().find(name).ifPresent(link -> remove(onHost, link));
    }

    /// Removes the link with this very end on the host, and no other that has taken its name since.
    void remove(Link hostEnd) {
        onHost.links()
                .find(hostEnd.index())
                .filter(link -> link.name().equals(hostEnd.name()))
                .ifPresent(link -> remove(onHost, link));
    }

    private static void remove(Netlink netlink, Link link) {
        try {
            netlink.links().delete(link.index());
        } catch (LinuxException failure) {
            if (failure.errno() != Errno.ENODEV) {
                throw failure;
            }
        }
    }

    /// Sets both ends up, with everything that the pod needs to be reached.
    ///
    /// @return the MAC of the pod's end
    MacAddress configure(LinkPlan plan, Pair pair) throws InterruptedException {
        awaitMac(pair.host());
        var settings = new LinkSettings(plan, log);
        var podSettings = new Sysctl(pod);
        settings.writeBeforeUp(podSettings);
        settings.writeOnHost(
                new Sysctl(host),
                () -> onHost.links().list().stream().map(Link::name).toList());
        onHost.links().setUp(pair.host().index());
        inPod.links().setUp(pair.pod().index());
        if (!plan.mac().equals(MacAddress.NONE)) {
            inPod.links().setMac(pair.pod().index(), plan.mac());
        }
        if (plan.has(Family.IPV4)) {
            addRoutesByGateway(plan, pair);
        }
        if (plan.has(Family.IPV6)) {
            settings.enableIpv6(podSettings);
            addRoutesByLinkLocal(plan, pair);
        }
        if (plan.has(Family.IPV4)) {
            // A host without a default route would not answer for the gateway.
            var gateway = GATEWAY.address();
            inPod.neighbours().put(Neighbour.permanent(pair.pod().index(), gateway, hostMac(pair.host())));
        }
        for (var address : plan.addresses()) {
            inPod.addresses().add(podAddress(pair.pod(), address));
        }
        settings.writeForwarding(podSettings);
        switch (plan.hostRoutes()) {
            case ADDED -> {
                var routes = new RoutesToPods(onHost);
                for (var address : plan.addresses()) {
                    routes.add(pair.host(), address);
                }
            }
            case LEFT_TO_OTHERS -> {}
        }
        return find(inPod, plan.ifname(), "pod").mac();
    }

    /// No other interface has it. Even where duplicate address detection is off, the kernel would delay an
    /// address of IPv6 for a moment.
    private static LinkAddress podAddress(Link link, Address address) {
        var alone = LinkAddress.alone(link.index(), address);
        return address.family() == Family.IPV6 ? alone.with(LinkAddress.Flag.NO_DAD) : alone;
    }

    private void awaitMac(Link link) throws InterruptedException {
        for (int attempt = 1; !hostMac(link).equals(HOST_MAC); attempt++) {
            if (attempt == MAC_TRIES_MAX) {
                throw new CniException(
                        CniCode.INTERNAL,
                        "timed out waiting for host-side interface %s to accept MAC %s"
                                .formatted(GoText.quote(link.name()), HOST_MAC));
            }
            try {
                onHost.links().setMac(link.index(), HOST_MAC);
            } catch (LinuxException refused) {
                log.accept("the kernel's MAC is used: " + refused.getMessage());
                return;
            }
            pause.pause(BETWEEN_MAC_TRIES);
        }
    }

    private MacAddress hostMac(Link link) {
        return find(onHost, link.name(), "host").mac();
    }

    private void addRoutesByGateway(LinkPlan plan, Pair pair) {
        int index = pair.pod().index();
        inPod.routes().add(Route.direct(GATEWAY, index));
        for (var route : plan.routes(Family.IPV4)) {
            inPod.routes().add(Route.via(route, GATEWAY.address(), index));
        }
    }

    private void addRoutesByLinkLocal(LinkPlan plan, Pair pair) throws InterruptedException {
        var gateway = awaitLinkLocal(pair.host());
        for (var route : plan.routes(Family.IPV6)) {
            inPod.routes().add(Route.via(route, gateway, pair.pod().index()));
        }
    }

    /// The host's address on the link. One that does not follow from its MAC was given while the link
    /// had another, and is given anew.
    private Address awaitLinkLocal(Link link) throws InterruptedException {
        var expected = hostMac(link).linkLocal();
        List<Address> found = List.of();
        for (int look = 1; look <= LOOKS_MAX; look++) {
            found = onHost.addresses().ofLink(link.index()).stream()
                    .map(LinkAddress::address)
                    .filter(address -> address.family() == Family.IPV6)
                    .toList();
            if (found.contains(expected)) {
                return expected;
            }
            if (!found.isEmpty()) {
                onHost.links().setDown(link.index());
                onHost.links().setMac(link.index(), HOST_MAC);
                pause.pause(BETWEEN_LOOKS);
                onHost.links().setUp(link.index());
                expected = hostMac(link).linkLocal();
            }
            pause.pause(BETWEEN_LOOKS);
        }
        if (found.isEmpty()) {
            throw new CniException(CniCode.INTERNAL, "failed to get IPv6 addresses for host side of the veth pair");
        }
        return found.getFirst();
    }

    /// Looks whether the pod is attached as planned.
    ///
    /// @param mac what the pod's end is to have, [MacAddress#NONE] for any
    /// @throws CniException naming what is missing
    void check(LinkPlan plan, MacAddress mac) {
        new LinkInspection(onHost, inPod).check(plan, mac);
        new LinkSettings(plan, log).findMissingOnHost(new Sysctl(host)).ifPresent(lacking -> {
            throw new CniException(
                    CniCode.INTERNAL,
                    "the host does not forward packets of the pod: %s is not 1".formatted(lacking),
                    "set it to 1, or delete the container and add it again");
        });
    }

    /// Removes the pod's interface. It is not a failure if it, or the whole namespace, is gone already.
    ///
    /// @param spared the MAC of an interface that is another sandbox's by now, [MacAddress#NONE] for none
    /// @throws CniException if it is still there
    static void removeFromPod(String netns, String ifname, MacAddress spared) {
        if (netns.isEmpty()) {
            return;
        }
        Namespace namespace;
        try {
            namespace = Namespace.open(netns);
        } catch (LinuxException failure) {
            if (failure.errno() == Errno.ENOENT) {
                return;
            }
            throw new CniException(CniError.of(CniCode.INTERNAL, String.valueOf(failure.getMessage())), failure);
        }
        try (namespace;
                var netlink = Netlink.open(namespace)) {
            netlink.links()
                    .find(ifname)
                    .filter(link ->
                            spared.equals(MacAddress.NONE) || !link.mac().equals(spared))
                    .ifPresent(link -> remove(netlink, link));
        } catch (LinuxException failure) {
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL,
                            "failed to clean up workload's pod interface inside netns: " + failure.getMessage()),
                    failure);
        }
    }
}
