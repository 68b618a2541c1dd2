package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.agent.AddExplanation;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.spiderpool.PoolAgentSettings.ForcedRelease;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodInfo;
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
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.AllocatedRoute;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import io.cadastre.wire.spiderpool.objects.SpiderAnnotations;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Gives addresses of the pools in a store, as Spiderpool's agent does, in this process.
public final class PoolAgent implements SpiderpoolAgent {

    private final AgentContext context;
    private final PodRecords pods;
    private final PoolAgentSettings settings;
    private final Registrar<PoolView, PoolChange> registrar;
    private final ConflictingAddresses conflicting;

    /// An agent of one node.
    public PoolAgent(AgentContext context, String node, PoolAgentSettings settings) {
        this.context = context;
        this.pods = new PodRecords(context.store(), node);
        this.settings = settings;
        this.registrar = context.registrar(new SpiderBook(context.store(), context.clock()));
        this.conflicting = new ConflictingAddresses(context.clock());
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
        return answered(() -> response(allocation(args)));
    }

    /// What the pod would be given on this interface now. Nothing is written.
    public AddExplanation explain(IpamAddArgs args) {
        try {
            var decision = answered(
                    () -> registrar.explain(new Request<PoolView, PoolChange, PoolAllocation>(words(args), law(args))));
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

    private PoolAllocation allocation(IpamAddArgs args) {
        return enact(words(args), law(args));
    }

    private static String words(IpamAddArgs args) {
        return "spiderpool add %s %s".formatted(key(args.pod()), args.ifName());
    }

    private Function<PoolView, Decision<PoolChange, PoolAllocation>> law(IpamAddArgs args) {
        if (args.matchMasterSubnet()) {
            throw refused(
                    "match_master_subnet asks for the subnet of an SR-IOV interface, which is not" + " supported here");
        }
        var key = key(args.pod());
        if (!fits(key)) {
            throw refused(
                    "the name of Pod %s has %d characters: it names a document of the store; a key has at most %d bytes"
                            .formatted(key, key.toString().length(), Datastore.KEY_BYTES_MAX));
        }
        if (!context.store().hasPlace(SpiderKeys.endpoint(key))) {
            throw refused("this store does not support Spiderpool's objects");
        }
        var pod = pods.find(key)
                .orElseThrow(() -> refused("failed to get Pod %s: Pod \"%s\" not found".formatted(key, key.name())));
        var uid = pod.uid().isEmpty() ? args.pod().uid() : pod.uid();
        if (!args.pod().uid().isEmpty() && !args.pod().uid().equals(uid)) {
            throw refused("the call is for Pod %s with the UID %s, but that Pod has the UID %s"
                    .formatted(key, args.pod().uid(), uid));
        }
        var request = request(args, pod, uid);
        return view -> PoolEngine.allocate(view, request);
    }

    private PoolAllocateRequest request(IpamAddArgs args, PodRecords.Pod pod, String uid) {
        var namespace = pod.key().namespace();
        return new PoolAllocateRequest(
                new PodInfo(pod.key(), uid, pod.node(), pod.life(), pods.fetchLabels(pod), pods.fetchController(pod)),
                args.ifName(),
                new PoolPreferences(
                        SpiderAnnotations.ofPod(pod.annotations()),
                        SpiderAnnotations.ofNamespace(pods.fetchNamespaceAnnotations(namespace)),
                        new PoolPreference.Single(new PoolNames(args.ipv4Pools(), args.ipv6Pools())),
                        args.cleanGateway() ? GatewayUse.CLEAN : GatewayUse.DEFAULT_ROUTE),
                SpiderAnnotations.routes(pod.annotations()),
                SpiderAnnotations.networks(pod.annotations(), namespace, settings.clusterNetwork(), settings.home()),
                settings.pools(),
                conflicting.of(uid));
    }

    private static IpamAddResponse response(PoolAllocation allocation) {
        return switch (allocation) {
            case PoolAllocation.Refused(var refusal) -> throw refused(refusal.sentence());
            case PoolAllocation.Allocated(var nics) ->
                new IpamAddResponse(
                        nics.stream()
                                .flatMap(nic -> nic.addresses().stream().map(address -> ip(nic, address)))
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
        answered(() -> {
            var uid = uid(pod);
            uid.ifPresent(known -> conflicting.add(known, address));
            return uid;
        });
    }

    // ---- taking back ----

    @Override
    public void release(IpamDelArgs args) {
        var key = key(args.pod());
        if (!fits(key)) {
            return;
        }
        var release = answered(() -> {
            var request = new PoolReleaseRequest(key, args.ifName(), args.pod().uid(), readiness(key));
            return enact(
                    "spiderpool del %s %s".formatted(key, args.ifName()),
                    (PoolView view) -> PoolEngine.release(view, request));
        });
        check(release);
    }

    private PodState readiness(PodKey key) {
        return pods.find(key)
                .<PodState>map(pod -> switch (pod.life()) {
                    case ALIVE -> new PodState.Alive();
                    case DEAD -> new PodState.Leaving(pod.uid());
                })
                .orElseGet(PodState.Gone::new);
    }

    @Override
    public void releaseAll(IpamBatchDelArgs args) {
        if (args.dueToConflict() && settings.forcedRelease() == ForcedRelease.FORBIDDEN) {
            throw new SpiderpoolAgentException(
                    Reason.STATELESS_RELEASE_FORBIDDEN, "forbid releasing IPs for stateless workload");
        }
        var key = key(args.pod());
        if (!fits(key)) {
            return;
        }
        var uid = answered(() -> uid(args.pod()));
        if (uid.isPresent()) {
            var request = new ForcedReleaseRequest(key, uid.get());
            check(answered(() ->
                    enact("spiderpool release " + key, (PoolView view) -> PoolEngine.forceRelease(view, request))));
        }
    }

    /// The UID of the pod, which the caller may not know.
    private Optional<String> uid(PodIdentity pod) {
        return Optional.of(pod.uid())
                .filter(uid -> !uid.isEmpty())
                .or(() -> pods.find(key(pod)).map(PodRecords.Pod::uid))
                .filter(uid -> !uid.isEmpty());
    }

    private static void check(PoolRelease release) {
        switch (release) {
            case PoolRelease.Released _, PoolRelease.Kept _ -> {}
            case PoolRelease.Refused(var refusal) -> throw refused(refusal.sentence());
        }
    }

    // ---- telling ----

    @Override
    public Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod) {
        var key = key(pod);
        if (!fits(key)) {
            return Optional.empty();
        }
        return answered(() -> context.store()
                .get(SpiderKeys.endpoint(key))
                .map(Document::value)
                .map(value -> SpiderEndpointDocument.decode(key, value).endpoint())
                .map(PoolAgent::told));
    }

    private static WorkloadEndpoint told(PodEndpoint endpoint) {
        return new WorkloadEndpoint(
                new PodIdentity(endpoint.key().namespace(), endpoint.key().name(), endpoint.uid()),
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

    private <O> O enact(String words, Function<PoolView, Decision<PoolChange, O>> law) {
        return registrar.enact(new Request<>(words, law));
    }

    private static SpiderpoolAgentException refused(String sentence) {
        return new SpiderpoolAgentException(Reason.REFUSED, sentence);
    }

    /// Returns what the work returns. A store failure may pass, so the caller is to ask again.
    private static <O> O answered(Supplier<O> work) {
        try {
            return work.get();
        } catch (DatastoreException | UnsettledException | UnrecordedException failed) {
            throw new SpiderpoolAgentException(Reason.UNREACHABLE, "the store failed: " + failed.getMessage(), failed);
        } catch (UnreadableDocumentException | PageFullException unusable) {
            throw new SpiderpoolAgentException(Reason.REFUSED, String.valueOf(unusable.getMessage()), unusable);
        }
    }
}
