package io.cadastre.agent.net;

import io.cadastre.agent.StoreFailures;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.ClusterGate;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Registrar.Limits;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.calico.endpoint.EndpointBook;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.calico.endpoint.EndpointView;
import io.cadastre.wire.calico.endpoint.Endpoints;
import io.cadastre.wire.calico.endpoint.Endpoints.Removal;
import io.cadastre.wire.calico.endpoint.ProfileDocument;
import io.cadastre.wire.calico.endpoint.ProfileDocument.Ingress;
import io.cadastre.wire.calico.endpoint.WorkloadEndpointDocument;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The endpoints in the store, and the addresses noted on pods. A store failure is an error to be tried
/// again.
final class EndpointRecords {

    /// As often as Calico tries to delete an endpoint that another process keeps rewriting.
    private static final Limits OF_REMOVAL = new Limits(6, 1, 1, Duration.ofMillis(200));

    private final AgentContext context;
    private final ClusterGate gate;
    private final PodNotes notes;

    EndpointRecords(AgentContext context, ClusterGate gate, PodNotes notes) {
        this.context = context;
        this.gate = gate;
        this.notes = notes;
    }

    /// @throws CniException if the store may not be written now
    void checkReady() {
        StoreFailures.answered(() -> {
            gate.requireOpen();
            return gate;
        });
    }

    /// As [#checkReady()], by what the store says now.
    void checkReadyNow() {
        StoreFailures.answered(() -> {
            gate.requireOpenNow();
            return gate;
        });
    }

    /// The endpoint of the workload, by whatever interface it is recorded.
    Optional<CalicoEndpoint> find(Workload workload) {
        return StoreFailures.answered(() -> book(workload).open().view().documents().stream()
                .map(WorkloadEndpointDocument::endpoint)
                .findFirst());
    }

    /// Records an endpoint in the place of the one of its name.
    void write(Workload workload, CalicoEndpoint endpoint) {
        var uid = context.freshUid();
        var now = context.clock().instant();
        enact(
                workload,
                "attach " + workload.words(),
                Limits.DEFAULT,
                view -> Endpoints.record(view, endpoint, uid, now));
        note(workload, endpoint);
    }

    /// Records an endpoint, and makes the profile of its network if there is none.
    void writeWithProfile(Workload workload, CalicoEndpoint endpoint) {
        var uid = context.freshUid();
        var now = context.clock().instant();
        var profile = ProfileDocument.create(
                workload.network(),
                workload.isPod() ? Ingress.FROM_ALL : Ingress.FROM_THE_NETWORK,
                context.freshUid(),
                now);
        enact(
                workload,
                "attach " + workload.words(),
                Limits.DEFAULT,
                view -> Endpoints.record(view, endpoint, profile, uid, now));
        note(workload, endpoint);
    }

    private void note(Workload workload, CalicoEndpoint endpoint) {
        if (workload.isPod()) {
            StoreFailures.answered(() -> {
                notes.write(workload.sandbox(), endpoint.wire().addresses());
                return workload;
            });
        }
    }

    /// Deletes the endpoint of this very name, unless it is another container's by now.
    Removal remove(Workload workload, EndpointName name) {
        if (!fits(workload, name)) {
            return new Removal.Gone();
        }
        try {
            var change = enact(workload, "detach " + workload.words(), OF_REMOVAL, view -> {
                var decision = Endpoints.remove(view, name, workload.containerId());
                return decision.withOutcome(
                        new RecordChange(decision.outcome(), !decision.changes().isEmpty()));
            });
            if (workload.isPod()) {
                erase(workload.sandbox(), change);
            }
            return change.removal();
        } catch (CniException failure) {
            throw failure.getCause() instanceof UnsettledException ? modified(failure) : failure;
        }
    }

    /// @param dropped whether the record was this container's until now
    private record RecordChange(Removal removal, boolean dropped) {}

    private void erase(PodNotes.Sandbox sandbox, RecordChange change) {
        switch (change.removal()) {
            case Removal.Gone _ when change.dropped() -> notes.eraseOwn(sandbox);
            case Removal.Gone _ -> notes.erase(sandbox);
            // A newer sandbox of the pod has written its own.
            case Removal.Kept _ -> {}
        }
    }

    private static CniException modified(CniException cause) {
        return new CniException(
                CniError.of(
                        CniCode.TRY_AGAIN_LATER,
                        "error deleting endpoint: endpoint was modified before it could be deleted:"
                                + " "
                                + cause.error().details()),
                cause);
    }

    /// The endpoints that are recorded on one node.
    List<CalicoEndpoint> fetch(String node) {
        return StoreFailures.answered(() -> fetch(context.store(), node));
    }

    static List<CalicoEndpoint> fetch(Datastore store, String node) {
        var found = new ArrayList<CalicoEndpoint>();
        for (var document : store.listAll(EndpointKeys.ENDPOINTS).documents()) {
            var rest = document.key().substring(EndpointKeys.ENDPOINTS.length());
            int slash = rest.indexOf('/');
            if (slash > 0) {
                EndpointName.find(rest.substring(slash + 1))
                        .filter(name -> name.node().equals(node))
                        .map(name -> WorkloadEndpointDocument.decode(
                                        document.key(), rest.substring(0, slash), name, document.value())
                                .endpoint())
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    /// @throws CniException if the name does not fit into a store
    void checkFits(Workload workload) {
        if (!fits(workload, workload.name())) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT,
                    ("the endpoint's name has %d characters and its network's name %d: they name"
                                    + " documents of the store, whose keys have at most %d bytes")
                            .formatted(
                                    workload.name().text().length(),
                                    workload.network().length(),
                                    Datastore.KEY_BYTES_MAX),
                    "use a shorter CNI_CONTAINERID, or shorter names of network, pod and node");
        }
    }

    /// Whether a store may have the documents of an endpoint. One whose do not fit is never recorded.
    private static boolean fits(Workload workload, EndpointName name) {
        return Keys.fits(EndpointKeys.endpoint(workload.namespace(), name))
                && Keys.fits(EndpointKeys.profile(workload.network()));
    }

    private EndpointBook book(Workload workload) {
        return new EndpointBook(context.store(), workload.namespace(), workload.name(), workload.network());
    }

    private <O> O enact(
            Workload workload, String words, Limits limits, Function<EndpointView, Decision<DocumentChange, O>> law) {
        var registrar = new Registrar<>(
                book(workload), context.ledger(), limits, context.clock(), context.dice(), context.pause());
        return StoreFailures.answered(() -> registrar.enact(new Request<>(words, law)));
    }
}
