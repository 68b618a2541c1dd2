package io.cadastre.agent.spiderpool;

import io.cadastre.address.Family;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.spiderpool.PoolAgentSettings.SubnetPatience;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.subnet.AddressNumber;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.RequestedSubnets;
import io.cadastre.engine.pool.subnet.RequestedSubnets.Asked;
import io.cadastre.engine.pool.subnet.RequestedSubnets.Item;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetPool;
import io.cadastre.engine.pool.subnet.SubnetRefusal.Retry;
import io.cadastre.wire.spiderpool.objects.SubnetBook;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import io.cadastre.wire.spiderpool.subnet.ApplicationPoolReader;
import io.cadastre.wire.spiderpool.subnet.PoolWarnings;
import io.cadastre.wire.spiderpool.subnet.SubnetRegistrar;
import io.cadastre.wire.spiderpool.workload.SubnetAnnotations;
import io.cadastre.wire.spiderpool.workload.WorkloadDocument;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import io.cadastre.wire.spiderpool.workload.WorkloadKind.Maker;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The pools that are made of subnets for the application of a pod. Those of Kubernetes' own kinds are made by a
/// controller, which may take a while; those of third parties are made here.
final class ApplicationPools {

    /// Less than a CNI call may take.
    private static final Duration WAIT_MAX = Duration.ofSeconds(50);

    private final AgentContext context;
    private final PodRecords pods;
    private final PoolAgentSettings settings;
    private final ApplicationPoolReader reader;
    private final SubnetRegistrar subnets;
    private final PoolWarnings warnings;

    ApplicationPools(AgentContext context, PodRecords pods, PoolAgentSettings settings) {
        this.context = context;
        this.pods = pods;
        this.settings = settings;
        this.reader = new ApplicationPoolReader(context.store());
        var book = new SubnetBook(context.store(), context.clock(), context.dice());
        this.subnets = new SubnetRegistrar(context.store(), book, context.registrar(book));
        // What cannot be recorded is in the answer to the pod, too.
        this.warnings = new PoolWarnings(context.store(), context.clock(), _ -> {});
    }

    /// The application of a pod, and what it asks for one of its interfaces.
    ///
    /// @param addresses how many each pool is to have; empty if that is unknown
    private record Requirement(
            OwnerApplication application, String uid, Asked asked, Item item, OptionalLong addresses, Maker maker) {

        List<SubnetClaim> claims(int redundancy) {
            return item.subnets().entrySet().stream()
                    .map(subnet -> claim(subnet.getKey(), subnet.getValue(), redundancy))
                    .toList();
        }

        SubnetClaim claim(Family family, String subnet, int redundancy) {
            return new SubnetClaim(
                    subnet,
                    application,
                    uid,
                    item.nic(),
                    family,
                    addresses.orElse(0),
                    asked.number().text(redundancy),
                    asked.reclaim());
        }
    }

    /// Why there is no pool, in upstream's words where it has any.
    private static final class NoPoolException extends RuntimeException {

        private static final long serialVersionUID = 1;

        NoPoolException(String sentence) {
            super(sentence, null, false, false);
        }
    }

    /// Those that the pod may have addresses of. They are waited for, or made.
    PoolPreference await(PodRecords.Pod pod, String nic) {
        try {
            var required = required(pod, nic);
            return switch (required.maker()) {
                case CONTROLLER -> awaited(required);
                case AGENT -> made(required);
            };
        } catch (NoPoolException none) {
            return new PoolPreference.Broken(String.valueOf(none.getMessage()));
        }
    }

    /// The same by one look. Nothing is made.
    PoolPreference find(PodRecords.Pod pod, String nic) {
        try {
            var required = required(pod, nic);
            return found(new Wait(required).last(), required);
        } catch (NoPoolException none) {
            return new PoolPreference.Broken(String.valueOf(none.getMessage()));
        }
    }

    // ---- what is asked for ----

    private Requirement required(PodRecords.Pod pod, String nic) {
        if (!settings.has(SpiderpoolSwitch.AUTO_POOL)) {
            throw new NoPoolException(
                    "it's invalid to use 'ipam.spidernet.io/subnets' or 'ipam.spidernet.io/subnet' annotation when"
                            + " Auto-Pool feature is disabled");
        }
        var top = pods.fetchTop(pod);
        var controller = top.controller();
        if (controller.kind().equals("Pod")) {
            throw new NoPoolException("SpiderSubnet feature doesn't support no-controller pod");
        }
        var asked = asked(pod);
        var item = asked.find(nic)
                .orElseThrow(() -> new NoPoolException(
                        "no IPPool available, the Pod's annotation names no SpiderSubnet for NIC " + nic));
        if (item.subnets().isEmpty()) {
            throw new NoPoolException(
                    "no IPPool available, the Pod's annotation names no SpiderSubnet of a family that is enabled for"
                            + " NIC "
                            + nic);
        }
        var application = new OwnerApplication(
                controller.apiVersion(), controller.kind(), pod.key().namespace(), controller.name());
        if (!WorkloadKind.isNative(controller.apiVersion())) {
            return new Requirement(application, top.uid(), asked, item, fixed(application, asked), Maker.AGENT);
        }
        var kind = WorkloadKind.find(application)
                .orElseThrow(() ->
                        new NoPoolException("SpiderSubnet feature doesn't support the pods of a " + controller.kind()));
        return new Requirement(
                application, top.uid(), asked, item, expected(kind, application, asked), Maker.CONTROLLER);
    }

    private Asked asked(PodRecords.Pod pod) {
        return switch (SubnetAnnotations.read(
                pod.annotations(), settings.pools().families())) {
            case RequestedSubnets.None _ ->
                throw new IllegalStateException("pod %s asks for no subnet".formatted(pod.key()));
            case RequestedSubnets.Broken(var sentence) -> throw new NoPoolException(sentence);
            case Asked asked -> asked;
        };
    }

    /// The replicas of a third party's application are unknown.
    private static OptionalLong fixed(OwnerApplication application, Asked asked) {
        if (asked.number() instanceof AddressNumber.Unset) {
            throw new NoPoolException(
                    "%s/%s/%s only supports fixed auto-created IPPool IP Number: set the annotation '%s' of its pods"
                            .formatted(
                                    application.kind(),
                                    application.namespace(),
                                    application.name(),
                                    AddressNumber.ANNOTATION));
        }
        return OptionalLong.of(asked.number().count(0, 0));
    }

    /// By the formula by which the controller makes the pool. Unknown if the application is not in the store.
    private OptionalLong expected(WorkloadKind kind, OwnerApplication application, Asked asked) {
        return context.store()
                .get(kind.key(application))
                .map(found -> WorkloadDocument.read(kind, application, found.value()))
                .map(workload -> OptionalLong.of(
                        asked.number().count(workload.replicas(), patience().redundancy())))
                .orElseGet(OptionalLong::empty);
    }

    private SubnetPatience patience() {
        return settings.subnets();
    }

    // ---- what is there ----

    private PoolPreference awaited(Requirement required) {
        var deadline = context.now().plus(WAIT_MAX);
        var wait = new Wait(required);
        var pools = wait.first();
        for (int attempt = 1;
                attempt < patience().triesMax()
                        && !ready(pools, required)
                        && context.now().isBefore(deadline);
                attempt++) {
            pause();
            pools = wait.next();
        }
        return found(ready(pools, required) ? pools : wait.last(), required);
    }

    private void pause() {
        try {
            context.pause().pause(patience().pause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NoPoolException("the agent stops and waits no longer for a SpiderIPPool");
        }
    }

    /// What a pod waits for: pools that are read by their names, since there may be many others.
    private final class Wait {

        private final List<SubnetClaim> claims;

        /// For each claim, what its pool may be called.
        private final Map<SubnetClaim, SortedSet<String>> names = new HashMap<>();

        Wait(Requirement required) {
            this.claims = required.claims(patience().redundancy());
            claims.forEach(claim -> names.put(claim, new TreeSet<>(Set.of(claim.poolName()))));
        }

        /// A pool that is kept from an earlier application has another name than one that is made; its subnet knows it.
        List<SubnetPool> first() {
            return claims.stream()
                    .flatMap(claim -> {
                        var pools = pools(claim);
                        return (pools.isEmpty() ? noted(claim) : pools).stream();
                    })
                    .toList();
        }

        List<SubnetPool> next() {
            return claims.stream().flatMap(claim -> pools(claim).stream()).toList();
        }

        List<SubnetPool> last() {
            return claims.stream().flatMap(claim -> noted(claim).stream()).toList();
        }

        private List<SubnetPool> noted(SubnetClaim claim) {
            names(claim).addAll(reader.fetchNames(claim));
            return pools(claim);
        }

        private List<SubnetPool> pools(SubnetClaim claim) {
            return names(claim).stream()
                    .flatMap(name -> reader.find(name, claim).stream())
                    .toList();
        }

        private SortedSet<String> names(SubnetClaim claim) {
            return names.computeIfAbsent(claim, _ -> new TreeSet<>());
        }
    }

    private static boolean ready(List<SubnetPool> pools, Requirement required) {
        return pools.size() == required.item().subnets().size()
                && pools.stream()
                        .allMatch(pool -> required.addresses().isEmpty()
                                || hasSize(pool, required.addresses().getAsLong()));
    }

    private static boolean hasSize(SubnetPool pool, long count) {
        return pool.pool().spec().effective().size().equals(BigInteger.valueOf(count));
    }

    private static PoolPreference found(List<SubnetPool> pools, Requirement required) {
        var names = new TreeMap<Family, List<String>>();
        for (var family : required.item().subnets().keySet()) {
            var ofFamily = pools.stream()
                    .filter(pool -> pool.pool().family() == family)
                    .map(SubnetPool::name)
                    .toList();
            if (ofFamily.isEmpty()) {
                throw new NoPoolException("no matching auto-created IPPool candidate with matchLables '%s'"
                        .formatted(labels(required, family)));
            }
            if (ofFamily.size() > 1) {
                throw new NoPoolException(
                        "it's invalid for '%s' corresponding SpiderSubnet '%s' owns multiple matchLables '%s' corresponding IPPools: %s"
                                .formatted(
                                        required.application(),
                                        required.item().subnets().get(family),
                                        labels(required, family),
                                        String.join(", ", ofFamily)));
            }
            names.put(family, ofFamily);
        }
        return named(names);
    }

    private static PoolPreference named(Map<Family, List<String>> names) {
        return new PoolPreference.Single(
                new PoolNames(names.getOrDefault(Family.IPV4, List.of()), names.getOrDefault(Family.IPV6, List.of())));
    }

    private static String labels(Requirement required, Family family) {
        return "owner-spider-subnet=%s, owner-application=%s, owner-application-uid=%s, interface=%s, ip-version=%s"
                .formatted(
                        required.item().subnets().get(family),
                        required.application().text(),
                        required.uid(),
                        required.item().nic(),
                        family);
    }

    // ---- what is made ----

    private PoolPreference made(Requirement required) {
        var names = new TreeMap<Family, List<String>>();
        required.item()
                .subnets()
                .forEach((family, subnet) -> names.put(
                        family,
                        List.of(claimed(
                                required.claim(family, subnet, patience().redundancy())))));
        return named(names);
    }

    /// A pool whose name another one has yet may have it soon. One that is as it should be is left alone, without a
    /// look at all others.
    private String claimed(SubnetClaim claim) {
        var made = reader.find(claim.poolName(), claim)
                .filter(pool -> pool.purpose().equals(Optional.of(claim.purpose())))
                .filter(pool -> !pool.pool().terminating() && hasSize(pool, claim.count()));
        return made.isPresent() ? made.get().name() : claimedNow(claim);
    }

    private String claimedNow(SubnetClaim claim) {
        var words = "spiderpool subnet %s for %s".formatted(claim.subnet(), claim.application());
        var outcome = subnets.claim(words, claim);
        for (int attempt = 1; attempt < patience().triesMax() && passes(outcome); attempt++) {
            pause();
            outcome = subnets.claim(words, claim);
        }
        warnings.report(outcome);
        return switch (outcome) {
            case SubnetOutcome.Ready(var pool, var _) -> pool;
            case SubnetOutcome.Refused(var refusal) -> throw new NoPoolException(refusal.sentence());
            case SubnetOutcome.Tended _, SubnetOutcome.Reclaimed _ ->
                throw new IllegalStateException("a claim came to " + outcome);
        };
    }

    private static boolean passes(SubnetOutcome outcome) {
        return outcome instanceof SubnetOutcome.Refused(var refusal) && refusal.retry() == Retry.SOON;
    }
}
