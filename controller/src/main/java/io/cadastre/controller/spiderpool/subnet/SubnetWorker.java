package io.cadastre.controller.spiderpool.subnet;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.RequestedSubnets;
import io.cadastre.engine.pool.subnet.RequestedSubnets.Asked;
import io.cadastre.engine.pool.subnet.SubnetClaim;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetRefusal;
import io.cadastre.engine.pool.subnet.SubnetRefusal.Retry;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SubnetBook;
import io.cadastre.wire.spiderpool.subnet.PoolWarnings;
import io.cadastre.wire.spiderpool.subnet.SubnetRegistrar;
import io.cadastre.wire.spiderpool.subnet.SubnetRegistrar.TendedSubnet;
import io.cadastre.wire.spiderpool.workload.SubnetAnnotations;
import io.cadastre.wire.spiderpool.workload.WorkloadDocument;
import io.cadastre.wire.spiderpool.workload.WorkloadDocument.Eligibility;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Does one task after the other, each on what the store has now.
final class SubnetWorker {

    private final ControllerContext context;
    private final SubnetSettings settings;
    private final SubnetRegistrar registrar;

    /// Looks at what there is once for the tasks of one pass.
    private SubnetRegistrar subnets;

    private final Runnable termCheck;
    private final FailureReports failures;
    private final PoolWarnings warnings;

    /// What of each subnet may not be changed as it should be. Only the thread of the worker touches it.
    private final Map<String, Set<String>> refusals = new HashMap<>();

    /// @param context with a store that refuses commits once the term is over
    /// @param termCheck throws if it is over
    SubnetWorker(ControllerContext context, SubnetSettings settings, Runnable termCheck) {
        this.context = context;
        this.termCheck = termCheck;
        this.settings = settings;
        this.failures = new FailureReports(context);
        this.warnings = new PoolWarnings(context.store(), context.clock(), context.reports());
        var book = new SubnetBook(context.store(), context.clock(), context.dice());
        this.registrar = new SubnetRegistrar(context.store(), book, context.registrar(book));
        this.subnets = registrar.pass();
    }

    /// Has the tasks that come look at what there is now.
    void beginPass() {
        subnets = registrar.pass();
    }

    /// Why a task is not done, and when it may be.
    record Fault(String sentence, Retry retry) {

        static Fault of(SubnetRefusal refusal) {
            return new Fault(refusal.sentence(), refusal.retry());
        }
    }

    /// What a task does, for an operator.
    static String words(SubnetTask task) {
        return switch (task) {
            case SubnetTask.FindSubnets _ -> "look for SpiderSubnets";
            case SubnetTask.Resync _ -> "look at all SpiderSubnets";
            case SubnetTask.Serve(var _, var application) -> "make the pools of " + application;
            case SubnetTask.Reclaim(var application, var _) -> "reclaim the pools of " + application;
            case SubnetTask.Tend(var subnet) -> "tend SpiderSubnet " + subnet;
            case SubnetTask.Adopt(var cidr) -> "tend the SpiderSubnet of " + cidr;
            case SubnetTask.Judge(var pool) -> "judge pool " + pool;
        };
    }

    /// Empty if the task is done.
    Optional<Fault> work(SubnetTask task) {
        var words = "controller: " + words(task);
        return switch (task) {
            case SubnetTask.FindSubnets _, SubnetTask.Resync _ -> Optional.empty();
            case SubnetTask.Serve(var kind, var application) -> serve(words, kind, application);
            case SubnetTask.Reclaim(var application, var uid) -> reclaim(words, application, uid);
            case SubnetTask.Tend(var subnet) -> tended(subnet, subnets.tend(words, subnet));
            case SubnetTask.Adopt(var cidr) -> {
                subnets.tendAllOf(words, cidr).forEach(this::tended);
                yield Optional.empty();
            }
            case SubnetTask.Judge(var pool) -> reported(subnets.reclaimUnused(words, pool));
        };
    }

    /// What may not be changed is reported once, and tried again when something changes or all are looked at.
    private Optional<Fault> tended(String subnet, TendedSubnet look) {
        // What is refused after the term is not refused by the store.
        termCheck.run();
        refusals.getOrDefault(subnet, Set.of()).stream()
                .filter(what -> !look.refused().containsKey(what))
                .forEach(what -> failures.forget(pair(subnet, what)));
        look.refused().forEach((what, sentence) -> failures.report(pair(subnet, what), sentence));
        if (look.refused().isEmpty()) {
            refusals.remove(subnet);
        } else {
            refusals.put(subnet, look.refused().keySet());
        }
        return fault(look.outcome());
    }

    private static String pair(String subnet, String what) {
        return subnet + "/" + what;
    }

    private static Optional<Fault> fault(SubnetOutcome outcome) {
        return outcome instanceof SubnetOutcome.Refused(var refusal)
                ? Optional.of(Fault.of(refusal))
                : Optional.empty();
    }

    private Optional<Fault> reported(SubnetOutcome outcome) {
        if (outcome instanceof SubnetOutcome.Reclaimed(var pools) && !pools.isEmpty()) {
            context.reports().accept("reclaims " + String.join(", ", pools));
        }
        return fault(outcome);
    }

    /// The application as it is now. What it asks for by one item does not wait for another.
    private Optional<Fault> serve(String words, WorkloadKind kind, OwnerApplication application) {
        var found = context.store().get(kind.key(application));
        if (found.isEmpty() || settings.making() == SubnetSettings.Making.OFF) {
            return Optional.empty();
        }
        var workload = WorkloadDocument.read(kind, application, found.get().value());
        if (workload.eligibility() != Eligibility.SERVED) {
            return Optional.empty();
        }
        return switch (SubnetAnnotations.read(workload.annotations(), settings.families())) {
            case RequestedSubnets.None _ -> Optional.empty();
            case RequestedSubnets.Broken(var sentence) -> Optional.of(new Fault(sentence, Retry.WITH_OTHER_INPUT));
            case Asked asked -> claim(words, workload, asked);
        };
    }

    private Optional<Fault> claim(String words, WorkloadDocument workload, Asked asked) {
        Optional<Fault> first = Optional.empty();
        for (var item : asked.items()) {
            for (var subnet : item.subnets().entrySet()) {
                var outcome = subnets.claim(
                        words,
                        new SubnetClaim(
                                subnet.getValue(),
                                workload.application(),
                                workload.uid(),
                                item.nic(),
                                subnet.getKey(),
                                asked.number().count(workload.replicas(), settings.redundancy()),
                                asked.number().text(settings.redundancy()),
                                asked.reclaim()));
                warnings.report(outcome);
                first = first.or(() -> fault(outcome));
            }
        }
        return first;
    }

    /// A new application of the name may have come meanwhile; an application that is still there was only missed.
    private Optional<Fault> reclaim(String words, OwnerApplication application, String uid) {
        var found = WorkloadKind.find(application)
                .map(kind -> kind.key(application))
                .flatMap(key -> context.store()
                        .get(key)
                        .map(document -> Json.readObject(key, document.value())
                                .at("/metadata/uid")
                                .asText()));
        return found.equals(Optional.of(uid)) ? Optional.empty() : reported(subnets.reclaim(words, application, uid));
    }
}
