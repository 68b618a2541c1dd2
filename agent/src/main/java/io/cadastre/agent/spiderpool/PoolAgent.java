package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.net.NamespaceCache;
import io.cadastre.agent.spiderpool.PoolAgentSettings.ForcedRelease;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.MasterSubnets;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodInfo;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolPreferences;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.keep.Succession;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.RequestListener;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.AllocatedRoute;
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
import io.cadastre.wire.spiderpool.workload.SpiderAnnotations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Gives addresses of the pools in a store, as Spiderpool's agent does, in this process.
public final class PoolAgent implements SpiderpoolAgent {

    /// Pools are shared by all nodes: there may be as many rivals for one as there are agents, and each takes part of
    /// a second before it has written several pools. A call for another interface of a pod writes nothing, so that
    /// many fit into one commit.
    public static final Registrar.Limits LIMITS = new Registrar.Limits(50, 256, 10_000, Duration.ofSeconds(1));

    private final AgentContext context;
    private final PodRecords pods;
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
                    var pod = pod(args);
                    boolean conflict = settings.has(SpiderpoolSwitch.CONFLICT_DETECTION) && !successions.migrating(pod);
                    var pools = preference(args, pod, applications::await);
                    long reading = nodes.readings();
                    var allocation = allocated(args, request(args, pod, pools), listener);
                    // A refusal must not rest on what a Node said a while ago.
                    boolean again = allocation instanceof PoolAllocation.Refused && nodes.forgetReadUpTo(reading);
                    return response(
                            again ? allocated(args, request(args, pod, pools), conflictsOnly(listener)) : allocation,
                            conflict);
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
                var pod = pod(args);
                var pools = preference(args, pod, applications::find);
                return registrar.explain(new Request<PoolView, PoolChange, PoolAllocation>(
                        words(args), law(args, request(args, pod, pools))));
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

    private PodRecords.Pod pod(IpamAddArgs args) {
        var key = key(args.pod());
        if (!fits(key)) {
            throw refused(
                    "the name of Pod %s has %d characters: it names a document of the store; a key has at most %d bytes"
                            .formatted(key, key.toString().length(), Datastore.KEY_BYTES_MAX));
        }
        if (!context.store().hasPlace(SpiderKeys.endpoint(key))) {
            throw refused("this store does not support Spiderpool's objects");
        }
        return pods.find(key)
                .orElseThrow(() -> refused("failed to get Pod %s: Pod \"%s\" not found".formatted(key, key.name())));
    }

    private Request.Law<PoolView, PoolChange, PoolAllocation> law(IpamAddArgs args, PoolAllocateRequest request) {
        return (view, earlier) -> {
            var decision = PoolEngine.allocate(view, request, earlier);
            return replaces(view, request) && !current(request.pod(), args)
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

    /// Whether the pod is still there. It was read before the endpoint was, which may be its successor's: a call may
    /// hang for longer than the pod lives. A successor that comes later writes over the same endpoint, so one of
    /// the two conflicts.
    private boolean current(PodInfo pod, IpamAddArgs args) {
        return pods.find(pod.key())
                .filter(found -> pod.uid().equals(uidOf(args.pod(), found)))
                .isPresent();
    }

    private static String uidOf(PodIdentity given, PodRecords.Pod pod) {
        return pod.uid().isEmpty() ? given.uid() : pod.uid();
    }

    /// How the pool that is made of a subnet for a pod is found.
    @FunctionalInterface
    private interface SubnetLookup {
        PoolPreference pools(PodRecords.Pod pod, String nic);
    }

    /// What the pod says about pools. A pod that has an address gets the same again, so its pool is not looked for.
    private PoolPreference preference(IpamAddArgs args, PodRecords.Pod pod, SubnetLookup lookup) {
        if (!settings.has(SpiderpoolSwitch.SPIDER_SUBNET)) {
            return SpiderAnnotations.withoutSubnets(pod.annotations());
        }
        var said = SpiderAnnotations.ofPod(pod.annotations());
        return said instanceof PoolPreference.OfSubnet && pod.life() == Life.ALIVE && !served(args, pod)
                ? lookup.pools(pod, args.ifName())
                : said;
    }

    private boolean served(IpamAddArgs args, PodRecords.Pod pod) {
        return successions.of(pod.owner()) instanceof Succession.None
                && context.store()
                        .get(SpiderKeys.endpoint(pod.key()))
                        .map(found -> SpiderEndpointDocument.decode(pod.key(), found.value())
                                .endpoint())
                        .filter(endpoint -> endpoint.uid().equals(pod.uid())
                                && endpoint.find(args.ifName()).isPresent())
                        .isPresent();
    }

    private PoolAllocateRequest request(IpamAddArgs args, PodRecords.Pod pod, PoolPreference pools) {
        var key = pod.key();
        var uid = uidOf(args.pod(), pod);
        if (!args.pod().uid().isEmpty() && !args.pod().uid().equals(uid)) {
            throw refused("the call is for Pod %s with the UID %s, but that Pod has the UID %s"
                    .formatted(key, args.pod().uid(), uid));
        }
        return request(args, pod, uid, pools);
    }

    private PoolAllocateRequest request(IpamAddArgs args, PodRecords.Pod pod, String uid, PoolPreference pools) {
        var namespace = pods.fetchNamespace(pod);
        return new PoolAllocateRequest(
                        info(pod, uid, namespace),
                        args.ifName(),
                        new PoolPreferences(
                                pools,
                                SpiderAnnotations.ofNamespace(namespace.annotations()),
                                new PoolPreference.Single(new PoolNames(args.ipv4Pools(), args.ipv6Pools())),
                                args.cleanGateway() ? GatewayUse.CLEAN : GatewayUse.DEFAULT_ROUTE),
                        SpiderAnnotations.routes(pod.annotations()),
                        SpiderAnnotations.networks(
                                pod.annotations(), pod.key().namespace(), settings.clusterNetwork(), settings.home()),
                        settings.pools(),
                        conflicting.of(uid))
                .within(
                        args.matchMasterSubnet()
                                ? PhysicalFunctions.OF_HOST.subnets(args.netNamespace(), args.ifName())
                                : new MasterSubnets.NotAsked());
    }

    private PodInfo info(PodRecords.Pod pod, String uid, PodRecords.NamespaceFacts namespace) {
        var info = new PodInfo(
                pod.key(),
                uid,
                pod.node(),
                pod.life(),
                pods.fetchLabels(pod, namespace),
                pods.fetchController(pod),
                successions.of(pod.owner()));
        if (!fits(info.holder())) {
            throw refused("the name of %s has %d characters, too many for a document of the store"
                    .formatted(info.holder(), info.holder().toString().length()));
        }
        return info;
    }

    private IpamAddResponse response(PoolAllocation allocation, boolean detectsConflict) {
        return switch (allocation) {
            case PoolAllocation.Refused(var refusal) -> throw refused(refusal.sentence());
            case PoolAllocation.Allocated(var nics) ->
                new IpamAddResponse(
                        nics.stream()
                                .flatMap(nic -> nic.addresses().stream()
                                        .map(address -> ip(nic, address)
                                                .detecting(
                                                        settings.has(SpiderpoolSwitch.GATEWAY_DETECTION),
                                                        detectsConflict)))
                                .toList(),
                        nics.stream()
                                .flatMap(nic ->
                                        nic.allRoutes().stream().map(route -> route(nic, route.dst(), route.gw())))
                                .toList(),
                        CniDns.NONE);
        };
    }

    private static AllocatedIp ip(Nic nic, NicAddress address) {
        var ip = CniIp.of(address(address));
        return AllocatedIp.of(nic.name(), address.gateway().map(ip::withGateway).orElse(ip), address.pool());
    }

    private static InterfaceAddress address(NicAddress address) {
        return new InterfaceAddress(address.address(), address.length());
    }

    private static AllocatedRoute route(Nic nic, String dst, String gw) {
        return new AllocatedRoute(
                nic.name(), CniRoute.to(InterfaceAddress.parse(dst)).via(Address.parse(gw)));
    }

    @Override
    public void noteConflict(PodIdentity pod, Address address) {
        var uid = pod.uid().isEmpty() ? uid(pod, answered(() -> pods.find(key(pod)))) : pod.uid();
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
                    var request = releaseOf(key, args);
                    return enact(
                            "spiderpool del %s %s".formatted(key, args.ifName()),
                            (PoolView view) -> PoolEngine.release(view, request),
                            listener);
                })));
    }

    private PoolReleaseRequest releaseOf(PodKey key, IpamDelArgs args) {
        var uid = args.pod().uid();
        var found = pods.find(key);
        if (found.isEmpty()) {
            return new PoolReleaseRequest(
                    key, args.ifName(), uid, new PodState.Gone(), successions.successorOfGone(key));
        }
        var pod = found.get();
        var succession = successions.of(pod.owner());
        var holder = holder(key, found);
        return switch (pod.life()) {
            case ALIVE -> new PoolReleaseRequest(holder, args.ifName(), uid, new PodState.Alive());
            case DEAD ->
                new PoolReleaseRequest(
                        holder,
                        args.ifName(),
                        uid,
                        new PodState.Leaving(pod.uid()),
                        successions.successor(key, succession));
        };
    }

    @Override
    public void releaseAll(IpamBatchDelArgs args) {
        var key = key(args.pod());
        if (!fits(key)) {
            return;
        }
        var found = answered(() -> pods.find(key));
        var uid = uid(args.pod(), found);
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
        var request = new ForcedReleaseRequest(holder(key, found), uid);
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

    /// The UID of the pod, which the caller may not know; empty if it is not known at all.
    private static String uid(PodIdentity given, Optional<PodRecords.Pod> pod) {
        return given.uid().isEmpty() ? pod.map(PodRecords.Pod::uid).orElse("") : given.uid();
    }

    private PodKey holder(PodKey key, Optional<PodRecords.Pod> pod) {
        return pod.map(found -> successions.of(found.owner()).holder(key))
                .filter(PoolAgent::fits)
                .orElse(key);
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
        return findPodEndpoint(pod).map(endpoint -> told(pod, endpoint));
    }

    /// What the pod of this name has, with all that is recorded.
    Optional<PodEndpoint> findPodEndpoint(PodIdentity pod) {
        var key = key(pod);
        if (!fits(key)) {
            return Optional.empty();
        }
        return answered(() -> {
            var holder = holder(key, pods.find(key));
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

    private static WorkloadEndpoint told(PodIdentity pod, PodEndpoint endpoint) {
        return new WorkloadEndpoint(
                new PodIdentity(pod.namespace(), pod.name(), endpoint.uid()),
                endpoint.nics().stream()
                        .map(nic -> new WorkloadEndpoint.Nic(
                                nic.name(),
                                nic.addresses().stream().map(PoolAgent::address).toList()))
                        .toList());
    }

    // ---- words ----

    /// A name with a slash could be that of something else.
    private static PodKey key(PodIdentity pod) {
        if (Stream.of(pod.namespace(), pod.name()).anyMatch(text -> text.isEmpty() || text.indexOf('/') >= 0)) {
            throw refused("failed to get Pod %s: not a valid Pod name".formatted(pod));
        }
        return new PodKey(pod.namespace(), pod.name());
    }

    /// Whether a store may have the documents of a Pod. Nothing is ever given to one whose do not fit.
    private static boolean fits(PodKey key) {
        return Keys.fits(SpiderKeys.endpoint(key)) && Keys.fits(CoreKeys.PODS + key);
    }

    private <O> O enact(String words, Function<PoolView, Decision<PoolChange, O>> law, RequestListener listener) {
        return registrar.enact(new Request<>(words, law).reportedTo(listener));
    }

    private static SpiderpoolAgentException refused(String sentence) {
        return new SpiderpoolAgentException(Reason.REFUSED, sentence);
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
