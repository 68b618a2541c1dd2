package io.cadastre.agent.spiderpool;

import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Deadline;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.Namespace;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.AllocatedRoute;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.SpiderpoolConfig;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The plugin spiderpool.
public final class Spiderpool implements Plugin {

    private static final String ABOUT = "Cadastre's spiderpool: addresses from an agent that speaks Spiderpool's API";

    /// Spiderpool's own plugin ends with 1.0.0.
    private static final List<String> VERSIONS = List.of("0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0");

    private static final String UNHEALTHY = "unhealthy spiderpool-agent backend, failed to check: ";

    private static final String ALLOCATION_ERROR = "spiderpool IP allocation error: ";

    private final SpiderpoolAgent own;
    private final SpiderpoolLimits limits;
    private final Pause pause;
    private final Consumer<String> log;
    private final AgentHome home;

    /// Answers for one node.
    ///
    /// @param own is asked where the configuration names no socket
    /// @param log takes a sentence for each failure that is not reported anywhere else
    public Spiderpool(SpiderpoolAgent own, SpiderpoolLimits limits, Pause pause, Consumer<String> log, AgentHome home) {
        this.own = own;
        this.limits = limits;
        this.pause = pause;
        this.log = log;
        this.home = home;
    }

    @Override
    public CniPlugin forCall(Withdrawal withdrawal) {
        return CniPlugin.supporting(VERSIONS)
                .withAbout(ABOUT)
                .onAdd(call -> add(call, withdrawal))
                .onDel(call -> del(call, withdrawal))
                .onCheck(call -> check(call, withdrawal))
                .onGc(Spiderpool::collect)
                .onStatus(call -> status(call, withdrawal));
    }

    // ---- ADD ----

    private CniResult add(CniCall call, Withdrawal withdrawal) throws InterruptedException {
        var config = SpiderpoolConfig.read(call.config());
        try (var namespace = open(call.netns())) {
            config.logLevel();
            var pod = PodIdentity.ofArguments(call.args());
            var agent = agent(config, earlier(limits.addMax(), withdrawal.left()));
            checkHealth(agent);
            var allocated = allocate(agent, config, call, pod).of(call.ifname());
            withdrawal.add(() -> withdraw(config, removal(call, pod)));
            if (allocated.ips().isEmpty()) {
                throw new CniException(
                        CniCode.INTERNAL,
                        ALLOCATION_ERROR + "no Interface %s IP allocation found".formatted(call.ifname()));
            }
            var detection = new ConflictDetection(namespace, call.ifname(), limits.probes(), pause, log);
            var finding = detection.find(allocated.ips());
            if (finding.isPresent()) {
                throw useless(finding.get(), agent, call, pod);
            }
            detection.announce(allocated.ips());
            return CniResult.ofAddresses(
                    allocated.ips().stream().map(AllocatedIp::ip).toList(),
                    allocated.routes().stream().map(AllocatedRoute::route).toList(),
                    allocated.dns());
        }
    }

    private static Namespace open(String path) {
        try {
            return Namespace.open(path);
        } catch (LinuxException none) {
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL,
                            "failed to GetNS %s for pod: %s".formatted(GoText.quote(path), none.getMessage())),
                    none);
        }
    }

    private IpamAddResponse allocate(SpiderpoolAgent agent, SpiderpoolConfig config, CniCall call, PodIdentity pod) {
        try {
            return agent.allocate(args(config, call, pod));
        } catch (SpiderpoolAgentException failed) {
            if (failed.reason() == Reason.REFUSED) {
                throw new CniException(
                        CniError.of(
                                CniCode.INTERNAL,
                                ALLOCATION_ERROR + "[POST /ipam/ip][500] postIpamIpFailure  " + failed.words(),
                                config.socket().isEmpty() ? home.hint(call, home.node()) : ""),
                        failed);
            }
            throw failure(ALLOCATION_ERROR, failed.words(), failed);
        }
    }

    private static IpamAddArgs args(SpiderpoolConfig config, CniCall call, PodIdentity pod) {
        return new IpamAddArgs(
                call.containerId(),
                call.ifname(),
                call.netns(),
                pod,
                config.ipv4Pools(),
                config.ipv6Pools(),
                config.cleanGateway(),
                config.matchMasterSubnet());
    }

    /// What an ADD would come to now. Nothing is written, and no address is looked for on a link.
    ///
    /// @param own is asked unless the configuration names the socket of another agent
    /// @throws CniException if the call cannot be understood
    public static AddExplanation explain(PoolAgent own, CniCall call) {
        var config = SpiderpoolConfig.read(call.config());
        config.logLevel();
        if (!config.socket().isEmpty()) {
            return AddExplanation.refusing(
                    "the agent at %s assigns the addresses of this network and cannot explain its decisions"
                            .formatted(config.socket()));
        }
        return own.explain(args(config, call, PodIdentity.ofArguments(call.args())));
    }

    /// What the pod was given is of no use to it. All of it goes back, so that a next ADD may get better.
    private CniException useless(
            ConflictDetection.Finding finding, SpiderpoolAgent agent, CniCall call, PodIdentity pod) {
        try {
            switch (finding) {
                case ConflictDetection.Finding.Conflict(var _, var address, var _) -> agent.noteConflict(pod, address);
                case ConflictDetection.Finding.SilentGateway _ -> {}
            }
            agent.releaseAll(new IpamBatchDelArgs(call.containerId(), call.netns(), pod, false));
            return new CniException(CniCode.INTERNAL, finding.sentence());
        } catch (SpiderpoolAgentException failed) {
            var kept = "the addresses of pod %s were not released: %s".formatted(pod, failed.words());
            log.accept(kept);
            return new CniException(CniError.of(CniCode.INTERNAL, finding.sentence(), kept), failed);
        }
    }

    /// Whether the pod keeps its addresses is for the agent to say: it does while it lives, and the next
    /// ADD gets the same ones. The time of the ADD is over by now.
    private void withdraw(SpiderpoolConfig config, IpamDelArgs removal) {
        try {
            agent(config, limits.delMax()).release(removal);
        } catch (SpiderpoolAgentException failed) {
            log.accept("the addresses of pod %s were not released after its ADD failed: %s"
                    .formatted(removal.pod(), failed.words()));
        }
    }

    // ---- DEL and GC ----

    private void del(CniCall call, Withdrawal withdrawal) {
        var config = SpiderpoolConfig.read(call.config());
        config.logLevel();
        var pod = PodIdentity.ofArguments(call.args());
        var agent = agent(config, earlier(limits.delMax(), withdrawal.left()));
        checkHealth(agent);
        try {
            agent.release(removal(call, pod));
        } catch (SpiderpoolAgentException failed) {
            switch (failed.reason()) {
                // The agent knows of it, and collects by itself. To fail would be to keep the pod
                // from ending.
                case REFUSED, STATELESS_RELEASE_FORBIDDEN, STATEFUL_RELEASE_FORBIDDEN ->
                    log.accept("the addresses of pod %s on %s were not released: %s"
                            .formatted(pod, call.ifname(), failed.words()));
                case UNREACHABLE, UNHEALTHY, UNREADABLE ->
                    throw failure("failed to release IP: ", failed.words(), failed);
            }
        }
    }

    private static IpamDelArgs removal(CniCall call, PodIdentity pod) {
        return new IpamDelArgs(call.containerId(), call.ifname(), call.netns(), pod);
    }

    /// Addresses belong to pods here and not to containers, and a GC lists only containers: it has nothing
    /// to decide. The pools' own collector takes back what pods left.
    private static void collect(CniCall call) {
        SpiderpoolConfig.read(call.config());
    }

    // ---- CHECK and STATUS ----

    /// Spiderpool's plugin finds everything in order. This one asks whether the pod still has what it was
    /// given.
    private void check(CniCall call, Withdrawal withdrawal) {
        var config = SpiderpoolConfig.read(call.config());
        config.logLevel();
        var pod = PodIdentity.ofArguments(call.args());
        var agent = agent(config, earlier(limits.delMax(), withdrawal.left()));
        var held = endpoint(agent, pod)
                .filter(endpoint -> isOf(endpoint.pod().uid(), pod.uid()))
                .map(endpoint -> endpoint.addresses(call.ifname()))
                .orElse(List.of());
        if (held.isEmpty()) {
            throw missing("address", call, pod);
        }
        var shown = call.config().prevResult();
        for (var address : held) {
            if (shown.isPresent()
                    && shown.get().ips().stream()
                            .noneMatch(ip -> ip.address().ip().equals(address.ip()))) {
                throw missing("address of the result but " + address.ip(), call, pod);
            }
        }
    }

    private static Optional<WorkloadEndpoint> endpoint(SpiderpoolAgent agent, PodIdentity pod) {
        try {
            return agent.findEndpoint(pod);
        } catch (SpiderpoolAgentException failed) {
            throw failure("failed to ask for the addresses of pod %s: ".formatted(pod), failed.words(), failed);
        }
    }

    /// Not every runtime passes the UID of the pod.
    private static boolean isOf(String recorded, String told) {
        return told.isEmpty() || recorded.equals(told);
    }

    private static CniException missing(String what, CniCall call, PodIdentity pod) {
        return new CniException(
                CniCode.INTERNAL, "no %s is reserved for interface %s of pod %s".formatted(what, call.ifname(), pod));
    }

    private void status(CniCall call, Withdrawal withdrawal) {
        var config = SpiderpoolConfig.read(call.config());
        try {
            agent(config, earlier(limits.delMax(), withdrawal.left())).checkHealth();
        } catch (SpiderpoolAgentException failed) {
            throw new CniException(CniError.of(CniCode.PLUGIN_NOT_AVAILABLE, UNHEALTHY + failed.words()), failed);
        }
    }

    // ---- the agent ----

    private static Duration earlier(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private SpiderpoolAgent agent(SpiderpoolConfig config, Duration limit) {
        return config.socket().isEmpty()
                ? own
                : new HttpSpiderpoolAgent(absolute(config.socket()), Deadline.after(limit)::left);
    }

    /// The plugin's process has a working folder that the agent does not know.
    private static Path absolute(String text) {
        try {
            var path = Path.of(text);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException _) {
            // It is reported like any other path that is not absolute.
        }
        throw new CniException(
                CniCode.INVALID_NETWORK_CONFIG,
                "ipam.ipam_unix_socket_path: %s is not an absolute path".formatted(text));
    }

    private static void checkHealth(SpiderpoolAgent agent) {
        try {
            agent.checkHealth();
        } catch (SpiderpoolAgentException failed) {
            throw failure(UNHEALTHY, failed.words(), failed);
        }
    }

    private static CniException failure(String prefix, String words, SpiderpoolAgentException failed) {
        var code =
                switch (failed.reason()) {
                    // A DEL that waits in the spool is tried again for these, and dropped for
                    // others.
                    case UNREACHABLE, UNHEALTHY -> CniCode.TRY_AGAIN_LATER;
                    case REFUSED, STATELESS_RELEASE_FORBIDDEN, STATEFUL_RELEASE_FORBIDDEN, UNREADABLE ->
                        CniCode.INTERNAL;
                };
        return new CniException(CniError.of(code, prefix + words), failed);
    }
}
