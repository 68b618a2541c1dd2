package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.agent.StoreFailures;
import io.cadastre.agent.Withdrawal;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.MacAddress;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Nat;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.calico.endpoint.HostLinkName;
import io.cadastre.wire.cni.CalicoAnnotations;
import io.cadastre.wire.cni.CalicoAnnotations.Choice;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CalicoNetConfig.IpamChoice.Law;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniInterface;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Serves one ADD.
///
/// Everything that can be refused is refused before an address is taken. The endpoint is recorded last, so
/// that what is recorded is attached. If any step in between fails, everything is undone in reverse order:
/// the interface is removed before its address is given back, and if it cannot be removed, the address
/// stays taken.
final class AddOperation {

    /// The only plugin whose empty list of routes means anything.
    static final String CALICO_IPAM = "calico-ipam";

    private static final String LABEL_NAMESPACE = "projectcalico.org/namespace";
    private static final String LABEL_ORCHESTRATOR = "projectcalico.org/orchestrator";
    private static final String LABEL_SERVICE_ACCOUNT = "projectcalico.org/serviceaccount";

    private final NetContext context;
    private final CniCall call;
    private final CalicoNetConfig config;
    private final Workload workload;
    private final int mtu;
    private final Withdrawal withdrawal;

    private AddOperation(
            NetContext context,
            CniCall call,
            CalicoNetConfig config,
            Workload workload,
            int mtu,
            Withdrawal withdrawal) {
        this.context = context;
        this.call = call;
        this.config = config;
        this.workload = workload;
        this.mtu = mtu;
        this.withdrawal = withdrawal;
    }

    /// Attaches.
    ///
    /// @param withdrawal learns what is to be undone if the answer does not arrive
    static CniResult add(NetContext context, CniCall call, Withdrawal withdrawal) throws InterruptedException {
        var config = CalicoNetConfig.read(call.config(), call.args());
        config.checkForAdd();
        var node = context.preconditions().node(config.node());
        int mtu = context.preconditions().mtu(config.link());
        var workload = Workload.of(call, config, node);
        context.records().checkFits(workload);
        checkReady(context.records(), config.ipam().law());
        context.preconditions().awaitReady(config.waiting());
        var attaching = new AddOperation(context, call, config, workload, mtu, withdrawal);
        try (var _ = context.turns().take(workload.turn())) {
            return attaching.add();
        }
    }

    /// A watch that is behind costs Calico's blocks a conflict, and other laws an address: `cadastre cni upgrade`
    /// keeps host-local out by what this reads.
    private static void checkReady(EndpointRecords records, Law law) {
        switch (law) {
            case CALICO -> records.checkReady();
            case HOST_LOCAL, OTHER -> records.checkReadyNow();
        }
    }

    private CniResult add() throws InterruptedException {
        var former = context.records().find(workload);
        if (workload.isPod()) {
            return attach(
                    former.map(CalicoEndpoint::name).orElse(workload.name()),
                    former.map(endpoint -> endpoint.holder().containerId()).orElse(""));
        }
        if (config.features().ipAddrsNoIpam()) {
            throw new CniException(
                    CniCode.INTERNAL, "requested feature is not supported for this runtime: ip_addrs_no_ipam");
        }
        return former.isPresent() ? join(former.get()) : attach(workload.name(), "");
    }

    /// A container that is attached already takes part in one more network, with what it has.
    private CniResult join(CalicoEndpoint endpoint) {
        record(endpoint.withProfile(config.network()));
        var inside = CniInterface.named(endpoint.name().ifname())
                .withMac(endpoint.wire().mac())
                .withMtu(mtu)
                .inSandbox(call.netns());
        return result(endpoint.wire().hostLink(), inside, endpoint.wire().addresses(), List.of(), CniDns.NONE);
    }

    private void record(CalicoEndpoint endpoint) {
        if (config.policyType().isEmpty()) {
            context.records().writeWithProfile(workload, endpoint);
        } else {
            context.records().write(workload, endpoint);
        }
    }

    // ---- a new link ----

    /// What is known about the pod before it has an address.
    private record RequestedAddresses(
            PodLookup.Pod pod,
            Choice choice,
            List<Address> floating,
            List<Prefix> allowedSources,
            MacAddress mac,
            List<Prefix> routes) {}

    /// The addresses, and what came with them.
    private record Taken(List<Address> addresses, List<CniRoute> routes, CniDns dns) {}

    /// @param name by which the endpoint is recorded, perhaps since an earlier sandbox
    /// @param formerContainer whose endpoint it was, empty if there was none
    private CniResult attach(EndpointName name, String formerContainer) throws InterruptedException {
        var facts = PodFacts.fetch(context.pods(), config, workload);
        var preference = preference(facts);
        var ipam = ipam(facts.annotations());
        try (var link = PodLink.open(context.host(), call.netns(), context.pause())) {
            var hostLink = hostLink(link);
            var undoing = new Undoing(link, ipam, preference);
            if (formerContainer.equals(workload.containerId()) && name.ifname().equals(call.ifname())) {
                // An earlier ADD of this very interface has the same addresses.
                link.findHostLink(hostLink).ifPresent(undoing::repeats);
            }
            try {
                var taken = take(ipam, preference, link, hostLink, formerContainer);
                var nats = nats(preference.floating(), taken.addresses());
                var plan = plan(preference, taken, hostLink);
                var pair = link.create(plan);
                undoing.created(pair.host());
                var mac = link.configure(plan, pair);
                record(endpoint(name, preference, plan, mac, nats));
                context.preconditions().awaitPolicy(config.waiting(), workload);
                withdrawal.add(() -> DelOperation.del(context, call));
                return result(plan, mac, taken);
            } catch (RuntimeException | InterruptedException | Error failure) {
                undoing.undo();
                throw failure;
            }
        }
    }

    private RequestedAddresses preference(PodFacts facts) {
        var annotations = facts.annotations();
        return new RequestedAddresses(
                facts.pod(),
                annotations.choice(config),
                annotations.floatingIps(config),
                annotations.allowedSources(),
                annotations.hardwareAddress().map(AddOperation::mac).orElse(MacAddress.NONE),
                PodRoutes.of(config, call.config()));
    }

    private static MacAddress mac(String text) {
        try {
            return MacAddress.parse(text);
        } catch (IllegalArgumentException senseless) {
            throw CalicoAnnotations.noHardwareAddress(text, "address %s: invalid MAC address".formatted(text));
        }
    }

    private Ipam ipam(CalicoAnnotations annotations) {
        var edited =
                switch (config.ipam().law()) {
                    case CALICO -> annotations.applyTo(call.config());
                    case HOST_LOCAL ->
                        workload.isPod()
                                ? StoreFailures.answered(
                                        () -> PodCidrs.replaceIn(call.config(), context.pods(), kubernetesNode()))
                                : call.config();
                    case OTHER -> call.config();
                };
        return context.ipam(config.ipam().type(), call, edited);
    }

    private String kubernetesNode() {
        return config.kubernetesNode().isEmpty() ? workload.name().node() : config.kubernetesNode();
    }

    private Taken take(
            Ipam ipam, RequestedAddresses preference, PodLink link, String hostLink, String formerContainer) {
        return switch (preference.choice()) {
            case Choice.Automatic _ -> taken(List.of(ipam.add()));
            case Choice.Imposed(var addresses) -> new Taken(addresses, List.of(), CniDns.NONE);
            case Choice.Requested(var addresses) -> {
                if (!formerContainer.isEmpty()) {
                    // The same pod asks for the same addresses, which its last sandbox has.
                    link.removeFromHost(hostLink);
                    ipam.del(formerContainer);
                }
                var results = new ArrayList<CniResult>();
                for (var address : addresses) {
                    results.add(requested(ipam, address));
                }
                yield taken(results);
            }
        };
    }

    private static CniResult requested(Ipam ipam, Address address) {
        try {
            return ipam.add(address);
        } catch (CniException refused) {
            var error = refused.error();
            throw new CniException(
                    new CniError(error.code(), "error getting IP from IPAM: " + error.msg(), error.details()), refused);
        }
    }

    private static Taken taken(List<CniResult> results) {
        return new Taken(
                results.stream()
                        .flatMap(result -> result.ips().stream())
                        .map(ip -> ip.address().ip())
                        .toList(),
                results.stream().flatMap(result -> result.routes().stream()).toList(),
                results.getLast().dns());
    }

    private static List<Nat> nats(List<Address> floating, List<Address> own) {
        var nats = new ArrayList<Nat>();
        for (var external : floating) {
            nats.add(own.stream()
                    .filter(address -> address.family() == external.family())
                    .findFirst()
                    .map(internal -> new Nat(internal, external))
                    .orElseThrow(() -> new CniException(
                            CniCode.INTERNAL,
                            "floating IP %s has no %s address to lead to".formatted(external, external.family()))));
        }
        return nats;
    }

    private LinkPlan plan(RequestedAddresses preference, Taken taken, String hostLink) {
        // Calico's plugin says by giving no routes that another still uses the addresses.
        boolean left = workload.isPod()
                && config.ipam().type().equals(CALICO_IPAM)
                && preference.choice() instanceof Choice.Automatic
                && taken.routes().isEmpty();
        return new LinkPlan(
                call.ifname(),
                hostLink,
                config.link().deviceType().equals("netkit") ? LinkPlan.Device.NETKIT : LinkPlan.Device.VETH,
                mtu,
                config.link().queues(),
                preference.mac(),
                config.link().forwarding(),
                taken.addresses(),
                preference.routes(),
                left ? LinkPlan.HostRoutes.LEFT_TO_OTHERS : LinkPlan.HostRoutes.ADDED);
    }

    /// The usual name, unless another container has it: two ids may begin alike.
    private String hostLink(PodLink link) {
        var usual = workload.hostLink(context.host().linkPrefix());
        if (workload.isPod() || link.findHostLink(usual).isEmpty()) {
            return usual;
        }
        boolean taken = context.records().fetch(workload.name().node()).stream()
                .anyMatch(endpoint -> endpoint.wire().hostLink().equals(usual));
        return taken ? HostLinkName.ofContainerByHash(workload.containerId()) : usual;
    }

    private CalicoEndpoint endpoint(
            EndpointName name, RequestedAddresses preference, LinkPlan plan, MacAddress mac, List<Nat> nats) {
        return new CalicoEndpoint(
                workload.namespace(),
                name,
                labels(preference.pod()),
                workload.network(),
                new CalicoEndpoint.Holder(
                        workload.pod(), workload.containerId(), preference.pod().serviceAccount()),
                new CalicoEndpoint.Wire(plan.hostLink(), mac.toString(), plan.addresses(), nats),
                new CalicoEndpoint.Rules(
                        profiles(preference.pod()), preference.pod().ports(), preference.allowedSources()));
    }

    private SortedMap<String, String> labels(PodLookup.Pod pod) {
        var labels = new TreeMap<>(pod.labels());
        if (!workload.isPod()) {
            config.sanitizedLabels().forEach(label -> labels.put(label.key(), label.value()));
        }
        labels.put(LABEL_NAMESPACE, workload.namespace());
        labels.put(LABEL_ORCHESTRATOR, workload.name().orchestrator());
        if (!pod.serviceAccount().isEmpty()) {
            labels.put(LABEL_SERVICE_ACCOUNT, pod.serviceAccount());
        }
        return labels;
    }

    private List<String> profiles(PodLookup.Pod pod) {
        if (!config.asksKubernetes()) {
            return List.of(config.network());
        }
        var ofNamespace = "kns." + workload.namespace();
        return pod.serviceAccount().isEmpty()
                ? List.of(ofNamespace)
                : List.of(ofNamespace, "ksa.%s.%s".formatted(workload.namespace(), pod.serviceAccount()));
    }

    // ---- the answer ----

    private CniResult result(LinkPlan plan, MacAddress mac, Taken taken) {
        var inside = CniInterface.named(plan.ifname())
                .withMac(mac.toString())
                .withMtu(mtu)
                .inSandbox(call.netns());
        return result(plan.hostLink(), inside, taken.addresses(), taken.routes(), taken.dns());
    }

    /// Addresses stand alone and have no gateway, whatever the IPAM plugin returned.
    private CniResult result(
            String hostLink, CniInterface inside, List<Address> addresses, List<CniRoute> routes, CniDns dns) {
        var configured = call.config().dns();
        return CniResult.newest(
                List.of(CniInterface.named(hostLink), inside),
                addresses.stream()
                        .map(address ->
                                CniIp.of(InterfaceAddress.single(address)).onInterface(1))
                        .toList(),
                routes,
                configured.isEmpty() ? dns : configured);
    }

    // ---- failure ----

    /// Takes back what the call has done so far.
    private final class Undoing {

        private final PodLink link;
        private final Ipam ipam;
        private final RequestedAddresses preference;

        /// The host's ends of what has, or may have, the addresses. They are known by their indexes: a
        /// newer sandbox of the pod may have taken their name.
        private final List<Link> links = new ArrayList<>();

        Undoing(PodLink link, Ipam ipam, RequestedAddresses preference) {
            this.link = link;
            this.ipam = ipam;
            this.preference = preference;
        }

        void repeats(Link former) {
            links.add(former);
        }

        void created(Link hostEnd) {
            links.add(hostEnd);
        }

        void undo() {
            try {
                links.forEach(link::remove);
            } catch (LinuxException remaining) {
                context.host()
                        .log()
                        .accept("the addresses of %s were not released: %s"
                                .formatted(workload.words(), remaining.getMessage()));
                return;
            }
            attempt(() -> context.records().remove(workload, workload.name()));
            if (!(preference.choice() instanceof Choice.Imposed)) {
                attempt(ipam::del);
            }
        }

        private void attempt(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException failure) {
                context.host()
                        .log()
                        .accept("ADD of %s was not undone: %s".formatted(workload.words(), failure.getMessage()));
            }
        }
    }
}
