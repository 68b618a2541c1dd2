package io.cadastre.engine.pool.collect;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.NicPlace;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolFault;
import io.cadastre.engine.pool.PoolFault.Rule;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRefusal;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.collect.CollectVerdict.Step;
import io.cadastre.engine.pool.collect.PodTrace.PodEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/// Takes back what pods left behind in pools, the way Spiderpool's controller does.
public final class PoolCollector {

    private PoolCollector() {}

    // ---- judging ----

    /// What is to be done about a record.
    ///
    /// @param uid that of the record
    public static CollectVerdict judge(
            Address address, String uid, KnownPod pod, KnownEndpoint endpoint, CollectSettings settings, Instant now) {
        return switch (pod) {
            case KnownPod.Unclear _ -> kept(CollectRule.POD_UNCLEAR);
            case KnownPod.Absent _ -> withoutPod(endpoint);
            case KnownPod.Present(var present) ->
                !uid.equals(present.uid()) && present.addresses().contains(address)
                        ? kept(CollectRule.RECORD_IN_USE)
                        : withPod(uid, present, endpoint, PodNeed.of(present, settings, now));
        };
    }

    private static CollectVerdict kept(CollectRule rule) {
        return new CollectVerdict(EnumSet.noneOf(Step.class), List.of(rule));
    }

    private static CollectVerdict withoutPod(KnownEndpoint endpoint) {
        return switch (endpoint) {
            case KnownEndpoint.Unreadable _ -> kept(CollectRule.ENDPOINT_UNREADABLE);
            case KnownEndpoint.Absent _ ->
                new CollectVerdict(EnumSet.of(Step.FREE_RECORD), List.of(CollectRule.POD_AND_ENDPOINT_GONE));
            case KnownEndpoint.Present(var _, var keeping) ->
                switch (keeping) {
                    case VALID -> kept(CollectRule.POD_RETURNS);
                    case INVALID -> freedWithEndpoint(CollectRule.POD_ABANDONED);
                    case NEVER -> freedWithEndpoint(CollectRule.POD_GONE);
                };
        };
    }

    private static CollectVerdict freedWithEndpoint(CollectRule rule) {
        return new CollectVerdict(EnumSet.of(Step.FREE_RECORD, Step.DELETE_ENDPOINT), List.of(rule));
    }

    /// Upstream frees the record also where only the endpoint is of an earlier pod. We keep what the live pod has.
    private static CollectVerdict withPod(String uid, ObservedPod pod, KnownEndpoint endpoint, PodNeed need) {
        var steps = EnumSet.noneOf(Step.class);
        var rules = new ArrayList<CollectRule>();
        rules.add(need.rule());
        if (need.call() == PodNeed.Call.TRACE) {
            steps.add(Step.TRACE);
        }
        if (!uid.equals(pod.uid())) {
            var rule = ofEarlierRecord(pod);
            rules.add(rule);
            if (rule != CollectRule.RECORD_INHERITED) {
                steps.add(Step.FREE_RECORD);
            }
        } else if (need.release()) {
            steps.add(Step.FREE_RECORD);
        }
        switch (endpoint) {
            case KnownEndpoint.Absent _ -> {}
            case KnownEndpoint.Unreadable _ -> rules.add(CollectRule.ENDPOINT_UNREADABLE);
            case KnownEndpoint.Present(var endpointUid, var _) -> {
                if (!endpointUid.equals(pod.uid())) {
                    var rule = ofEarlierEndpoint(pod);
                    rules.add(rule);
                    if (rule != CollectRule.ENDPOINT_INHERITED) {
                        steps.add(Step.DELETE_ENDPOINT);
                    }
                } else if (need.release()) {
                    steps.add(Step.DELETE_ENDPOINT);
                }
            }
        }
        return new CollectVerdict(steps, rules);
    }

    private static CollectRule ofEarlierRecord(ObservedPod pod) {
        return switch (pod.keeping()) {
            case NEVER -> CollectRule.RECORD_OF_EARLIER_POD;
            case VALID -> pod.reportsNothing() ? CollectRule.RECORD_INHERITED : CollectRule.RECORD_SUPERSEDED;
            case INVALID -> pod.reportsNothing() ? CollectRule.RECORD_ABANDONED : CollectRule.RECORD_SUPERSEDED;
        };
    }

    private static CollectRule ofEarlierEndpoint(ObservedPod pod) {
        return switch (pod.keeping()) {
            case NEVER -> CollectRule.ENDPOINT_OF_EARLIER_POD;
            case VALID -> pod.reportsNothing() ? CollectRule.ENDPOINT_INHERITED : CollectRule.ENDPOINT_SUPERSEDED;
            case INVALID -> pod.reportsNothing() ? CollectRule.ENDPOINT_ABANDONED : CollectRule.ENDPOINT_SUPERSEDED;
        };
    }

    // ---- taking back ----

    /// Judges a record and takes back what the verdict names, if the record and the endpoint still are as they were
    /// judged.
    public static Decision<PoolChange, PoolCollection> collect(PoolView view, CollectRequest request) {
        var key = request.key();
        var verdict = judge(
                request.address(),
                request.record().podUid(),
                request.pod(),
                request.endpoint(),
                request.settings(),
                request.now());
        if (!verdict.collects()) {
            return left(key, verdict.rules());
        }
        NotReadException.lookAtAll(
                List.<Runnable>of(() -> view.findPool(request.pool()), () -> findEndpoint(view, request)),
                Runnable::run);
        var pool = view.findPool(request.pool());
        var endpoint = findEndpoint(view, request);
        if (pool.isEmpty()) {
            return left(key, List.of(CollectRule.RECORD_CHANGED));
        }
        if (!pool.get().damage().isEmpty()) {
            return prevented(damaged(pool.get()));
        }
        if (pool.get()
                .held()
                .find(request.address())
                .filter(request.record()::equals)
                .isEmpty()) {
            return left(key, List.of(CollectRule.RECORD_CHANGED));
        }
        if (!unchanged(request.endpoint(), endpoint)) {
            return left(key, List.of(CollectRule.ENDPOINT_CHANGED));
        }
        var changes = new ArrayList<PoolChange>();
        if (verdict.steps().contains(Step.FREE_RECORD)) {
            var freed = new PoolChange.Free(
                    request.pool(), request.address(), request.record(), place(endpoint, request.address()));
            changes.add(freed);
            if (pool.get().terminating() && pool.get().held().size() == 1) {
                changes.add(new PoolChange.DropPool(request.pool()));
            }
        }
        if (verdict.steps().contains(Step.DELETE_ENDPOINT) && endpoint.isPresent()) {
            changes.add(new PoolChange.DropEndpoint(key));
        }
        return collected(key, changes, reasons(key, verdict.rules()));
    }

    /// One that cannot be read is not looked at, and a record that names no namespace has none.
    private static Optional<PodEndpoint> findEndpoint(PoolView view, CollectRequest request) {
        return request.endpoint() instanceof KnownEndpoint.Unreadable
                        || request.key().namespace().isEmpty()
                ? Optional.empty()
                : view.findEndpoint(request.key());
    }

    private static boolean unchanged(KnownEndpoint judged, Optional<PodEndpoint> endpoint) {
        return switch (judged) {
            case KnownEndpoint.Unreadable _ -> true;
            case KnownEndpoint.Absent _ -> endpoint.isEmpty();
            case KnownEndpoint.Present(var uid, var _) ->
                endpoint.filter(found -> found.uid().equals(uid)).isPresent();
        };
    }

    private static NicPlace place(Optional<PodEndpoint> endpoint, Address address) {
        return endpoint.stream()
                .flatMap(found -> found.nics().stream()
                        .filter(nic -> nic.addresses().stream()
                                .anyMatch(taken -> taken.address().equals(address)))
                        .map(nic -> new NicPlace(found.node(), nic.name())))
                .findFirst()
                .orElse(NicPlace.UNKNOWN);
    }

    /// Releases all that a pod has that was traced and whose time has come.
    public static Decision<PoolChange, PoolCollection> releaseTraced(PoolView view, TracedReleaseRequest request) {
        var key = request.key();
        var kept = keeps(request);
        if (kept.isPresent()) {
            return left(key, List.of(kept.get()));
        }
        var endpoint = view.findEndpoint(key);
        if (endpoint.isEmpty()) {
            return left(key, List.of(CollectRule.ENDPOINT_GONE));
        }
        if (!endpoint.get().uid().equals(request.uid()) || !unchanged(request.endpoint(), endpoint)) {
            return left(key, List.of(CollectRule.ENDPOINT_CHANGED));
        }
        var because = reasons(key, List.of(CollectRule.GRACE_OVER));
        if (endpoint.get().nics().isEmpty()) {
            return collected(key, List.of(new PoolChange.DropEndpoint(key)), because);
        }
        var nic = endpoint.get().nics().getFirst().name();
        var decision = PoolEngine.release(view, new PoolReleaseRequest(key, nic, request.uid(), new PodState.Gone()));
        because.addAll(decision.because());
        return switch (decision.outcome()) {
            case PoolRelease.Released _ -> collected(key, decision.changes(), because);
            case PoolRelease.Kept(var why) ->
                throw new IllegalStateException("pod %s is gone and keeps its addresses: %s".formatted(key, why));
            case PoolRelease.Refused(var refusal) -> prevented(refusal, because);
        };
    }

    /// Why the pod keeps what it has; empty if it does not.
    private static Optional<CollectRule> keeps(TracedReleaseRequest request) {
        return switch (request.pod()) {
            case KnownPod.Unclear _ -> Optional.of(CollectRule.POD_UNCLEAR);
            case KnownPod.Absent _ ->
                switch (request.endpoint()) {
                    case KnownEndpoint.Unreadable _ -> Optional.of(CollectRule.ENDPOINT_UNREADABLE);
                    case KnownEndpoint.Absent _ -> Optional.empty();
                    case KnownEndpoint.Present(var _, var keeping) ->
                        keeping == Keeping.VALID ? Optional.of(CollectRule.POD_RETURNS) : Optional.empty();
                };
            case KnownPod.Present(var pod) -> {
                if (!pod.uid().equals(request.uid())) {
                    yield pod.keeping().possible() ? Optional.of(CollectRule.ENDPOINT_INHERITED) : Optional.empty();
                }
                yield PodTrace.of(new PodEvent.Appeared(pod), request.settings(), request.now())
                                        instanceof PodTrace.Until(var stop, var _)
                                && request.now().isAfter(stop)
                        ? Optional.empty()
                        : Optional.of(CollectRule.GRACE_RUNS);
            }
        };
    }

    /// Deletes an endpoint if no pool that it names has a record of its pod. Upstream does that also to a pod that
    /// lives. We keep what such a pod has, since it may have lost its record with a pool that was restored.
    ///
    /// @param uid of the endpoint as it was read before the pod was
    public static Decision<PoolChange, PoolCollection> deleteOutdated(
            PoolView view, PodKey key, String uid, KnownPod pod) {
        switch (pod) {
            case KnownPod.Unclear _ -> {
                return left(key, List.of(CollectRule.POD_UNCLEAR));
            }
            case KnownPod.Present(var present)
            when present.uid().equals(uid) -> {
                return left(key, List.of(CollectRule.ALIVE));
            }
            case KnownPod.Present _, KnownPod.Absent _ -> {}
        }
        var endpoint = view.findEndpoint(key);
        if (endpoint.isEmpty()) {
            return left(key, List.of(CollectRule.ENDPOINT_GONE));
        }
        if (!endpoint.get().uid().equals(uid)) {
            return left(key, List.of(CollectRule.ENDPOINT_CHANGED));
        }
        var names = endpoint.get().nics().stream()
                .flatMap(nic -> nic.addresses().stream())
                .map(taken -> taken.pool())
                .distinct()
                .toList();
        NotReadException.lookAtAll(names, view::findPool);
        for (var name : names) {
            var pool = view.findPool(name);
            if (pool.isEmpty()) {
                return left(key, List.of(CollectRule.ENDPOINT_OF_LOST_POOL));
            }
            if (!pool.get().damage().isEmpty()) {
                return prevented(damaged(pool.get()));
            }
            if (hasRecordOf(pool.get(), key)) {
                return left(key, List.of(CollectRule.ENDPOINT_WITH_RECORDS));
            }
        }
        return collected(
                key,
                List.of(new PoolChange.DropEndpoint(key)),
                reasons(key, List.of(CollectRule.ENDPOINT_WITHOUT_RECORDS)));
    }

    /// Frees a record whatever its pod does. If the pod's endpoint has the address, all of the endpoint is taken
    /// back: a pod that asks again is answered from there.
    public static Decision<PoolChange, PoolCollection> force(
            PoolView view, String name, Address address, PodKey key, PoolRecord record) {
        var pool = view.findPool(name);
        if (pool.isEmpty()
                || pool.get().held().find(address).filter(record::equals).isEmpty()) {
            return left(key, List.of(CollectRule.RECORD_CHANGED));
        }
        if (!pool.get().damage().isEmpty()) {
            return prevented(damaged(pool.get()));
        }
        var because = reasons(key, List.of(CollectRule.FORCED));
        var changes = new ArrayList<PoolChange>();
        boolean namesPod = !key.namespace().isEmpty() && key.name().indexOf('/') < 0;
        var endpoint = namesPod ? view.findEndpoint(key) : Optional.<PodEndpoint>empty();
        var place = place(endpoint, address);
        if (endpoint.isPresent() && !place.equals(NicPlace.UNKNOWN)) {
            var decision = PoolEngine.forceRelease(
                    view, new ForcedReleaseRequest(key, endpoint.get().uid()));
            because.addAll(decision.because());
            if (decision.outcome() instanceof PoolRelease.Refused(var refusal)) {
                return prevented(refusal, because);
            }
            changes.addAll(decision.changes());
        }
        if (changes.stream().noneMatch(change -> frees(change, name, address))) {
            changes.add(new PoolChange.Free(name, address, record, place));
            if (pool.get().terminating() && pool.get().held().size() == 1) {
                changes.add(new PoolChange.DropPool(name));
            }
        }
        return collected(key, changes, because);
    }

    private static boolean frees(PoolChange change, String pool, Address address) {
        return change instanceof PoolChange.Free free
                && free.pool().equals(pool)
                && free.address().equals(address);
    }

    private static PoolRefusal damaged(AddressPool pool) {
        return new PoolRefusal.Damaged(new PoolFault(pool.name(), Rule.DAMAGED, pool.damage()));
    }

    private static boolean hasRecordOf(AddressPool pool, PodKey key) {
        return pool.held().all().stream().map(held -> held.record().pod()).anyMatch(key.toString()::equals);
    }

    // ---- outcomes ----

    private static List<Because> reasons(PodKey key, List<CollectRule> rules) {
        var because = new ArrayList<Because>();
        rules.forEach(rule -> because.add(new CollectReason(key, rule)));
        return because;
    }

    private static Decision<PoolChange, PoolCollection> collected(
            PodKey key, List<PoolChange> changes, List<Because> because) {
        var addresses = new ArrayList<Address>();
        var endpoints = new ArrayList<PodKey>();
        for (var change : changes) {
            switch (change) {
                case PoolChange.Free(var _, var address, var _, var _) -> addresses.add(address);
                case PoolChange.DropEndpoint(var dropped) -> endpoints.add(dropped);
                case PoolChange.DropPool _, PoolChange.PutEndpoint _ -> {}
                case PoolChange.Take _, PoolChange.Confirm _, PoolChange.Bar _ ->
                    throw new IllegalStateException(
                            "collection of pod %s would also %s".formatted(key, change.sentence()));
            }
        }
        return new Decision<>(new PoolCollection.Collected(addresses, endpoints), changes, because);
    }

    private static Decision<PoolChange, PoolCollection> left(PodKey key, List<CollectRule> rules) {
        return new Decision<>(new PoolCollection.Left(rules), List.of(), reasons(key, rules));
    }

    private static Decision<PoolChange, PoolCollection> prevented(PoolRefusal refusal) {
        return prevented(refusal, List.of());
    }

    private static Decision<PoolChange, PoolCollection> prevented(PoolRefusal refusal, List<Because> because) {
        return new Decision<>(new PoolCollection.Prevented(refusal), List.of(), because);
    }
}
