package io.cadastre.agent.net;

import io.cadastre.agent.StoreFailures;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Registrar.Limits;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.calico.endpoint.EndpointBook;
import io.cadastre.wire.calico.endpoint.EndpointChange;
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
import java.util.UUID;
import java.util.function.Function;

/// The endpoints in the store, and the addresses noted on pods. A store failure is an error to be tried
/// again.
final class EndpointRecords {

    static final String NOT_READY = "Calico is currently not ready to process requests";

    private static final CalicoKey CLUSTER = new CalicoKey.OfClusterInformation();

    /// As often as Calico tries to delete an endpoint that another process keeps rewriting.
    private static final Limits OF_REMOVAL = new Limits(6, 1, 1, Duration.ofMillis(200));

    private final AgentContext context;
    private final PodNotes notes;

    EndpointRecords(AgentContext context, PodNotes notes) {
        this.context = context;
        this.notes = notes;
    }

    /// Whether the cluster says that its store may be written. Without a statement, it may.
    boolean ready() {
        return StoreFailures.answered(() -> {
            try {
                return context.store()
                        .get(CLUSTER.text())
                        .map(found -> CalicoDocument.decode(CLUSTER, found.value()))
                        .map(document -> document instanceof ClusterInformationDocument said && said.ready())
                        .orElse(true);
            } catch (UnparsableEntryException unreadable) {
                throw new CniException(
                        CniError.of(CniCode.INTERNAL, "error getting ClusterInformation: " + unreadable.getMessage()),
                        unreadable);
            }
        });
    }

    /// @throws CniException if the store may not be written now
    void checkReady() {
        if (!ready()) {
            throw new CniException(CniCode.TRY_AGAIN_LATER, NOT_READY);
        }
    }

    /// The endpoint of the workload, by whatever interface it is recorded.
    Optional<CalicoEndpoint> find(Workload workload) {
        return StoreFailures.answered(() -> book(workload).open().view().documents().stream()
                .map(WorkloadEndpointDocument::endpoint)
                .findFirst());
    }

    /// Records an endpoint in the place of the one of its name.
    void write(Workload workload, CalicoEndpoint endpoint) {
        var uid = freshUid();
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
        var uid = freshUid();
        var now = context.clock().instant();
        var profile = ProfileDocument.create(
                workload.network(), workload.isPod() ? Ingress.FROM_ALL : Ingress.FROM_THE_NETWORK, freshUid(), now);
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
            var removal = enact(
                    workload,
                    "detach " + workload.words(),
                    OF_REMOVAL,
                    view -> Endpoints.remove(view, name, workload.containerId()));
            if (workload.isPod()) {
                notes.erase(workload.sandbox());
            }
            return removal;
        } catch (CniException failure) {
            throw failure.getCause() instanceof UnsettledException ? modified(failure) : failure;
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
            Workload workload, String words, Limits limits, Function<EndpointView, Decision<EndpointChange, O>> law) {
        var registrar = new Registrar<>(
                book(workload), context.ledger(), limits, context.clock(), context.dice(), context.pause());
        return StoreFailures.answered(() -> registrar.enact(new Request<>(words, law)));
    }

    private UUID freshUid() {
        // The bits that say that the rest is random, by RFC 9562.
        long high = (context.dice().nextLong() & ~0xf000L) | 0x4000L;
        long low = (context.dice().nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
