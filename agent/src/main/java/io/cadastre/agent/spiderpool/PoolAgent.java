package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.PoolRequests.fits;
import static io.cadastre.agent.spiderpool.PoolRequests.key;
import static io.cadastre.agent.spiderpool.PoolRequests.refused;

import io.cadastre.address.Address;
import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.net.NamespaceCache;
import io.cadastre.agent.spiderpool.PoolAgentSettings.ForcedRelease;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.keep.Succession;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.RequestListener;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import io.cadastre.wire.spiderpool.objects.CoordinatorSettings;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Gives addresses of the pools in a store, as Spiderpool's agent does, in this process.
public final class PoolAgent implements SpiderpoolAgent {

    /// Pools are shared by all nodes: there may be as many rivals for one as there are agents, and each takes part of
    /// a second before it has written several pools. A call for another interface of a pod writes nothing, so that
    /// many fit into one commit.
    public static final Registrar.Limits LIMITS = new Registrar.Limits(50, 256, 10_000, Duration.ofSeconds(1));

    private final AgentContext context;
    private final PodRecords pods;
    private final PoolRequests requests;
    private final Successions successions;
    private final PoolAgentSettings settings;
    private final Registrar<PoolView, PoolChange> registrar;
    private final ConflictingAddresses conflicting;
    private final ServedPods served = new ServedPods();
    private final RecentDocuments nodes;
    private final PoolFigures figures = PoolFigures.by(System::nanoTime);
    private final ApplicationPools applications;

    /// An agent of one node that reads each Namespace when it needs it.
    public PoolAgent(AgentContext context, String node, PoolAgentSettings settings) {
        this(context, node, settings, context.store()::get);
    }

    /// An agent of one node with Namespaces as a watch has them.
    public PoolAgent(AgentContext context, String node, PoolAgentSettings settings, NamespaceCache namespaces) {
        this(context, node, settings, namespaces::find);
    }

    private PoolAgent(
            AgentContext context, String node, PoolAgentSettings settings, PodRecords.DocumentLookup namespaces) {
        this.context = context;
        this.nodes = new RecentDocuments(context.store(), context.clock());
        this.pods = new PodRecords(context.store(), node, namespaces, nodes);
        this.successions = new Successions(context.store(), settings);
        this.settings = settings;
        this.registrar = context.registrar(new SpiderBook(context.store(), context.clock()), LIMITS);
        this.conflicting = new ConflictingAddresses(context.clock());
        this.requests = new PoolRequests(context.store(), pods, successions, settings, conflicting);
        this.applications = new ApplicationPools(context, pods, settings);
    }

    @Override
    public void checkHealth() {
        try {
            context.store().get(SpiderKeys.POOLS + "is-anyone-there");
        } catch (DatastoreException failed) {
            throw new SpiderpoolAgentException(Reason.UNHEALTHY, "the store failed: " + failed.getMessage(), failed);
        }
    }

    // ---- giving ----

    @Override
    public IpamAddResponse allocate(IpamAddArgs args) {
        return figures.allocations()
                .count(listener -> answered(() -> {
                    var pod = requests.pod(args);
                    boolean conflict = settings.has(SpiderpoolSwitch.CONFLICT_DETECTION) && !successions.migrating(pod);
                    var pools = requests.preference(args, pod, applications::await);
                    long reading = nodes.readings();
                    var allocation = allocated(args, requests.allocation(args, pod, pools), listener);
                    if (allocation instanceof PoolAllocation.Refused) {
                        // It must not rest on what a Node said a while ago.
                        nodes.forgetReadUpTo(reading);
                        allocation = allocated(args, requests.allocation(args, pod, pools), conflictsOnly(listener));
                    }
                    return switch (allocation) {
                        case PoolAllocation.Refused(var refusal) -> throw refused(refusal.sentence());
                        case PoolAllocation.Allocated(var nics) ->
                            PoolAnswers.response(nics, settings.has(SpiderpoolSwitch.GATEWAY_DETECTION), conflict);
                    };
                }));
    }

    /// A call has its turn once, also if it is decided twice.
    private static RequestListener conflictsOnly(RequestListener listener) {
        return new RequestListener() {
            @Override
            public void begun() {
                // It began before.
            }

            @Override
            public void conflicted() {
                listener.conflicted();
            }
        };
    }

    private PoolAllocation allocated(IpamAddArgs args, PoolAllocateRequest request, RequestListener listener) {
        boolean first = served.add(request.pod().uid());
        return registrar.enact(new Request<PoolView, PoolChange, PoolAllocation>(
                        words(args), law(args, first ? request.expectingNoEndpoint() : request))
                .reportedTo(listener));
    }

    /// What the pod would be given on this interface now. Nothing is written.
    public AddExplanation explain(IpamAddArgs args) {
        try {
            var decision = answered(() -> {
                var pod = requests.pod(args);
                var pools = requests.preference(args, pod, applications::find);
                return registrar.explain(new Request<PoolView, PoolChange, PoolAllocation>(
                        words(args), law(args, requests.allocation(args, pod, pools))));
            });
            return switch (decision.outcome()) {
                case PoolAllocation.Refused(var refusal) -> AddExplanation.refusing(refusal.sentence(), decision);
                case PoolAllocation.Allocated(var nics) ->
                    AddExplanation.giving(
                            nics.stream()
                                    .filter(nic -> nic.name().equals(args.ifName()))
                                    .flatMap(nic -> nic.addresses().stream())
                                    .map(NicAddress::address)
                                    .toList(),
                            decision);
            };
        } catch (SpiderpoolAgentException failed) {
            if (failed.reason() != Reason.REFUSED) {
                throw failed;
            }
            return AddExplanation.refusing(failed.words());
        }
    }

    private static String words(IpamAddArgs args) {
        return "spiderpool add %s %s".formatted(key(args.pod()), args.ifName());
    }

    private Request.Law<PoolView, PoolChange, PoolAllocation> law(IpamAddArgs args, PoolAllocateRequest request) {
        return (view, earlier) -> {
            var decision = PoolEngine.allocate(view, request, earlier);
            return replaces(view, request) && !requests.current(request.pod(), args)
                    ? PoolEngine.allocate(view, request.withDeadPod(), earlier)
                    : decision;
        };
    }

    /// Whether the pod would take over the endpoint of another.
    private static boolean replaces(PoolView view, PoolAllocateRequest request) {
        var pod = request.pod();
        return view.findEndpoint(pod.holder())
                .filter(endpoint -> !endpoint.uid().equals(pod.uid()))
                .isPresent();
    }

    @Override
    public void noteConflict(PodIdentity pod, Address address) {
        var uid = pod.uid().isEmpty() ? PoolRequests.uid(pod, answered(() -> pods.find(key(pod)))) : pod.uid();
        if (!uid.isEmpty()) {
            conflicting.add(uid, address);
        }
    }

    // ---- taking back ----

    @Override
    public void release(IpamDelArgs args) {
        var key = key(args.pod());
        if (!fits(key)) {
            return;
        }
        figures.releases()
                .count(listener -> checked(answered(() -> {
                    var request = requests.release(key, args);
                    return enact(
                            "spiderpool del %s %s".formatted(key, args.ifName()),
                            (PoolView view) -> PoolEngine.release(view, request),
                            listener);
                })));
    }

    @Override
    public void releaseAll(IpamBatchDelArgs args) {
        var key = key(args.pod());
        if (!fits(key)) {
            return;
        }
        var found = answered(() -> pods.find(key));
        var uid = PoolRequests.uid(args.pod(), found);
        if (uid.isEmpty()) {
            return;
        }
        if (args.dueToConflict()) {
            checkForcedRelease(found);
        }
        if (answered(() -> found.filter(successions::migrating).isPresent())) {
            throw refused(
                    "Pod %s is the target of a live migration: its machine uses the addresses in the pod that it leaves"
                            .formatted(key));
        }
        var request = new ForcedReleaseRequest(requests.holder(key, found), uid);
        figures.releases()
                .count(listener -> checked(answered(() -> enact(
                        "spiderpool release " + key,
                        (PoolView view) -> PoolEngine.forceRelease(view, request),
                        listener))));
    }

    /// Takes back what the pod has for a plugin that does not say why. If it was asked to look for other
    /// holders and for nothing else, it has found one of an address that the pod has, so the pod is not given
    /// any of these again soon.
    void releaseUnexplained(IpamBatchDelArgs args) {
        if (!args.dueToConflict()
                && settings.has(SpiderpoolSwitch.CONFLICT_DETECTION)
                && !settings.has(SpiderpoolSwitch.GATEWAY_DETECTION)) {
            findPodEndpoint(args.pod())
                    .ifPresent(endpoint -> endpoint.nics().stream()
                            .flatMap(nic -> nic.addresses().stream())
                            .forEach(taken -> conflicting.add(endpoint.uid(), taken.address())));
        }
        releaseAll(args);
    }

    private void checkForcedRelease(Optional<PodRecords.Pod> pod) {
        if (settings.forcedRelease() == ForcedRelease.FORBIDDEN) {
            throw new SpiderpoolAgentException(
                    Reason.STATELESS_RELEASE_FORBIDDEN, "forbid releasing IPs for stateless workload");
        }
        if (pod.map(found -> !(successions.of(found.owner()) instanceof Succession.None))
                .orElse(false)) {
            // The space is the reference's.
            throw new SpiderpoolAgentException(
                    Reason.STATEFUL_RELEASE_FORBIDDEN, "forbid releasing IPs for stateful workload ");
        }
    }

    private static PoolRelease checked(PoolRelease release) {
        return switch (release) {
            case PoolRelease.Released _, PoolRelease.Kept _ -> release;
            case PoolRelease.Refused(var refusal) -> throw refused(refusal.sentence());
        };
    }

    // ---- telling ----

    /// What it did since it began, for the page of its metrics.
    public List<Metric> figures() {
        return figures.metrics();
    }

    @Override
    public Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod) {
        return findPodEndpoint(pod).map(endpoint -> PoolAnswers.endpoint(pod, endpoint));
    }

    /// What the pod of this name has, with all that is recorded.
    Optional<PodEndpoint> findPodEndpoint(PodIdentity pod) {
        var key = key(pod);
        if (!fits(key)) {
            return Optional.empty();
        }
        return answered(() -> {
            var holder = requests.holder(key, pods.find(key));
            return context.store()
                    .get(SpiderKeys.endpoint(holder))
                    .map(Document::value)
                    .map(value -> SpiderEndpointDocument.decode(holder, value).endpoint());
        });
    }

    /// The settings of the cluster's coordinator for a pod, which may name the interface of its default route.
    Bytes coordinator(PodIdentity pod) {
        return answered(() -> {
            var key = key(pod);
            var coordinator = findCoordinator()
                    .orElseThrow(
                            () -> refused("coordinator config not found: there is no SpiderCoordinator; apply one"));
            if (!coordinator.ready()) {
                throw refused(
                        "spidercoordinator: %s no ready: its status has no CIDRs of pods and services, which Spiderpool's controller writes; without that controller set spec.podCIDRType to none"
                                .formatted(coordinator.name()));
            }
            var found = fits(key) ? pods.find(key) : Optional.<PodRecords.Pod>empty();
            return coordinator.answer(found.orElseThrow(() -> refused("failed to get pod " + key))
                    .annotations()
                    .getOrDefault(CoordinatorSettings.ROUTE_ANNOTATION, ""));
        });
    }

    /// The first by name, if there are several.
    private Optional<CoordinatorSettings> findCoordinator() {
        return context.store().hasPlace(SpiderKeys.COORDINATORS + "any")
                ? context.store().list(SpiderKeys.COORDINATORS, 1).documents().stream()
                        .findFirst()
                        .map(CoordinatorSettings::decode)
                : Optional.empty();
    }

    // ---- words ----

    private <O> O enact(String words, Function<PoolView, Decision<PoolChange, O>> law, RequestListener listener) {
        return registrar.enact(new Request<>(words, law).reportedTo(listener));
    }

    /// Returns what the work returns. A store failure may pass, so the caller is to ask again.
    private static <O> O answered(Supplier<O> work) {
        try {
            return work.get();
        } catch (UnsettledException unsettled) {
            throw new SpiderpoolAgentException(Reason.UNREACHABLE, words(unsettled), unsettled);
        } catch (DatastoreException | UnrecordedException failed) {
            throw new SpiderpoolAgentException(Reason.UNREACHABLE, "the store failed: " + failed.getMessage(), failed);
        } catch (UnreadableDocumentException | PageFullException unusable) {
            throw new SpiderpoolAgentException(Reason.REFUSED, String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static String words(UnsettledException unsettled) {
        return switch (unsettled.reason()) {
            case QUEUE_FULL ->
                "failed to queue correctly: queue is full with a maximum length of %d: %s"
                        .formatted(LIMITS.waitingMax(), unsettled.getMessage());
            case ATTEMPTS -> "exhaust all retries: " + unsettled.getMessage();
            case OTHER -> "the store failed: " + unsettled.getMessage();
        };
    }
}
