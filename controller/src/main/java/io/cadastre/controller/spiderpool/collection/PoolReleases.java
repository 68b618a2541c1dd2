package io.cadastre.controller.spiderpool.collection;

import io.cadastre.address.Address;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.spiderpool.collection.PodTraces.TracedPod;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.collect.CollectRequest;
import io.cadastre.engine.pool.collect.PoolCollection;
import io.cadastre.engine.pool.collect.PoolCollector;
import io.cadastre.engine.pool.collect.TracedReleaseRequest;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Releases what pods left behind, each time after a new look into the store.
final class PoolReleases {

    private final ControllerContext context;
    private final PoolGcSettings settings;
    private final GcCounts counts;
    private final FailureReports failures;
    private final Registrar<PoolView, PoolChange> registrar;

    /// @param context with a store that refuses commits once the term is over
    PoolReleases(ControllerContext context, PoolGcSettings settings, GcCounts counts) {
        this.context = context;
        this.settings = settings;
        this.counts = counts;
        this.failures = new FailureReports(context);
        this.registrar =
                context.registrar(new SpiderBook(new ConflictCounter(context.store(), counts), context.clock()));
    }

    /// How a release ended.
    enum Ending {
        SETTLED,
        FAILED
    }

    /// Facts of their own, so that nothing was read before.
    CollectionFacts facts() {
        return new CollectionFacts(context.store(), settings.features());
    }

    /// Judges a record anew and releases it if it is left over.
    ///
    /// @param ofMachine the pods of a virtual machine of the name that the record has
    Ending collect(String pool, Address address, PoolRecord record, List<PodKey> ofMachine) {
        var key = CollectionFacts.named(record.pod());
        return attempted("%s of pool %s".formatted(address, pool), () -> {
            var facts = facts();
            var endpoint = facts.fetchEndpoint(key);
            var request = new CollectRequest(
                    pool,
                    address,
                    key,
                    record,
                    endpoint,
                    facts.fetchHolder(key, record.podUid(), ofMachine),
                    settings.rules(),
                    context.now());
            return enact(
                    "collect %s of pool %s".formatted(address, pool), view -> PoolCollector.collect(view, request));
        });
    }

    /// Releases what the pod has whose time has come.
    Ending release(TracedPod pod) {
        return attempted("what pod %s has".formatted(pod.key()), () -> {
            var facts = facts();
            var endpoint = facts.fetchEndpoint(pod.key());
            var request = new TracedReleaseRequest(
                    pod.key(), pod.uid(), endpoint, facts.fetchPod(pod.key()), settings.rules(), context.now());
            return enact("release pod " + pod.key(), view -> PoolCollector.releaseTraced(view, request));
        });
    }

    /// Deletes an endpoint that no record belongs to.
    ///
    /// @param ofMachine the pods of a virtual machine of that name
    Ending deleteOutdated(PodKey key, List<PodKey> ofMachine) {
        return attempted("the endpoint of pod " + key, () -> {
            var facts = facts();
            var endpoint = facts.findEndpoint(key);
            if (endpoint.isEmpty()) {
                return new PoolCollection.Left(List.of());
            }
            var pod = facts.fetchHolder(key, endpoint.get().uid(), ofMachine);
            return enact(
                    "delete the endpoint of pod " + key,
                    view -> PoolCollector.deleteOutdated(
                            view, key, endpoint.get().uid(), pod));
        });
    }

    private PoolCollection enact(String words, Function<PoolView, Decision<PoolChange, PoolCollection>> law) {
        return registrar.enact(new Request<>("controller: " + words, law));
    }

    /// A failure is one of this release alone. Not so if the term is over.
    private Ending attempted(String what, Supplier<PoolCollection> release) {
        try {
            return switch (release.get()) {
                case PoolCollection.Collected collected -> {
                    failures.forget(what);
                    report(collected);
                    yield Ending.SETTLED;
                }
                case PoolCollection.Left _ -> {
                    failures.forget(what);
                    yield Ending.SETTLED;
                }
                case PoolCollection.Prevented(var refusal) -> failed(what, refusal.sentence());
            };
        } catch (LeadershipLostException deposed) {
            throw deposed;
        } catch (UnsettledException
                | UnrecordedException
                | DatastoreException
                | PageFullException
                | UnreadableDocumentException failed) {
            if (failed.getCause() instanceof LeadershipLostException deposed) {
                throw deposed;
            }
            return failed(what, String.valueOf(failed.getMessage()));
        }
    }

    private void report(PoolCollection.Collected collected) {
        counts.collected(collected.addresses().size());
        context.reports()
                .accept("released "
                        + Stream.concat(
                                        collected.addresses().stream().map(Address::toString),
                                        collected.endpoints().stream().map(key -> "the endpoint of pod " + key))
                                .collect(Collectors.joining(", ")));
    }

    private Ending failed(String what, String why) {
        counts.failed();
        failures.report(what, "cannot release %s: %s".formatted(what, why));
        return Ending.FAILED;
    }
}
