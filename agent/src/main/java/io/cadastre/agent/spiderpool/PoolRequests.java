package io.cadastre.agent.spiderpool;

import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.pool.MasterSubnets;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodInfo;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolPreferences;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.keep.Succession;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import io.cadastre.wire.spiderpool.workload.SpiderAnnotations;
import java.util.Optional;
import java.util.stream.Stream;

/// Turns the calls of plugins into requests to the rules of pools. It reads the pod, its Namespace, its Node and
/// its owners, and what they say about pools.
///
/// @param conflicting the addresses that pods are not given again soon
record PoolRequests(
        Datastore store,
        PodRecords pods,
        Successions successions,
        PoolAgentSettings settings,
        ConflictingAddresses conflicting) {

    /// How the pool that is made of a subnet for a pod is found.
    @FunctionalInterface
    interface SubnetLookup {
        PoolPreference pools(PodRecords.Pod pod, String nic);
    }

    /// The pod of a call for addresses.
    PodRecords.Pod pod(IpamAddArgs args) {
        var key = key(args.pod());
        if (!fits(key)) {
            throw refused(
                    "the name of Pod %s has %d characters: it names a document of the store; a key has at most %d bytes"
                            .formatted(key, key.toString().length(), Datastore.KEY_BYTES_MAX));
        }
        if (!store.hasPlace(SpiderKeys.endpoint(key))) {
            throw refused("this store does not support Spiderpool's objects");
        }
        return pods.find(key)
                .orElseThrow(() -> refused("failed to get Pod %s: Pod \"%s\" not found".formatted(key, key.name())));
    }

    /// Whether the pod is still there. It was read before the endpoint was, which may be its successor's: a call may
    /// hang for longer than the pod lives. A successor that comes later writes over the same endpoint, so one of
    /// the two conflicts.
    boolean current(PodInfo pod, IpamAddArgs args) {
        return pods.find(pod.key())
                .filter(found -> pod.uid().equals(uidOf(args.pod(), found)))
                .isPresent();
    }

    private static String uidOf(PodIdentity given, PodRecords.Pod pod) {
        return pod.uid().isEmpty() ? given.uid() : pod.uid();
    }

    /// What the pod says about pools. A pod that has an address gets the same again, so its pool is not looked for.
    PoolPreference preference(IpamAddArgs args, PodRecords.Pod pod, SubnetLookup lookup) {
        if (!settings.has(SpiderpoolSwitch.SPIDER_SUBNET)) {
            return SpiderAnnotations.withoutSubnets(pod.annotations());
        }
        var said = SpiderAnnotations.ofPod(pod.annotations());
        return said instanceof PoolPreference.OfSubnet && pod.life() == Life.ALIVE && !hasEndpoint(args, pod)
                ? lookup.pools(pod, args.ifName())
                : said;
    }

    private boolean hasEndpoint(IpamAddArgs args, PodRecords.Pod pod) {
        return successions.of(pod.owner()) instanceof Succession.None
                && store.get(SpiderKeys.endpoint(pod.key()))
                        .map(found -> SpiderEndpointDocument.decode(pod.key(), found.value())
                                .endpoint())
                        .filter(endpoint -> endpoint.uid().equals(pod.uid())
                                && endpoint.find(args.ifName()).isPresent())
                        .isPresent();
    }

    /// The request of a call for addresses.
    ///
    /// @param pools what the pod says about pools
    PoolAllocateRequest allocation(IpamAddArgs args, PodRecords.Pod pod, PoolPreference pools) {
        var key = pod.key();
        var uid = uidOf(args.pod(), pod);
        if (!args.pod().uid().isEmpty() && !args.pod().uid().equals(uid)) {
            throw refused("the call is for Pod %s with the UID %s, but that Pod has the UID %s"
                    .formatted(key, args.pod().uid(), uid));
        }
        return allocation(args, pod, uid, pools);
    }

    private PoolAllocateRequest allocation(IpamAddArgs args, PodRecords.Pod pod, String uid, PoolPreference pools) {
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

    /// The request of a call that gives back what the pod has on an interface.
    PoolReleaseRequest release(PodKey key, IpamDelArgs args) {
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

    /// The UID of the pod, which the caller may not know; empty if it is not known at all.
    static String uid(PodIdentity given, Optional<PodRecords.Pod> pod) {
        return given.uid().isEmpty() ? pod.map(PodRecords.Pod::uid).orElse("") : given.uid();
    }

    /// The pod under whose name the endpoint is: that of a virtual machine has the name of the machine.
    PodKey holder(PodKey key, Optional<PodRecords.Pod> pod) {
        return pod.map(found -> successions.of(found.owner()).holder(key))
                .filter(PoolRequests::fits)
                .orElse(key);
    }

    /// A name with a slash could be that of something else.
    static PodKey key(PodIdentity pod) {
        if (Stream.of(pod.namespace(), pod.name()).anyMatch(text -> text.isEmpty() || text.indexOf('/') >= 0)) {
            throw refused("failed to get Pod %s: not a valid Pod name".formatted(pod));
        }
        return new PodKey(pod.namespace(), pod.name());
    }

    /// Whether a store may have the documents of a Pod. Nothing is ever given to one whose do not fit.
    static boolean fits(PodKey key) {
        return Keys.fits(SpiderKeys.endpoint(key)) && Keys.fits(CoreKeys.PODS + key);
    }

    static SpiderpoolAgentException refused(String sentence) {
        return new SpiderpoolAgentException(Reason.REFUSED, sentence);
    }
}
