package io.cadastre.wire.calico.endpoint;

import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Decides what becomes of the record of an endpoint.
public final class Endpoints {

    private Endpoints() {}

    /// What became of a request to forget an endpoint.
    public sealed interface Removal {

        /// It is not recorded any more.
        record Gone() implements Removal {}

        /// It is another container's by now: the request is late.
        record Kept(CalicoEndpoint endpoint) implements Removal {}
    }

    /// Records an endpoint in the place of the one of its name.
    ///
    /// @param uid what it will be known by if it is new
    public static Decision<DocumentChange, CalicoEndpoint> record(
            EndpointView view, CalicoEndpoint endpoint, UUID uid, Instant now) {
        return new Decision<>(endpoint, put(view, endpoint, uid, now), List.of());
    }

    /// Records an endpoint, and makes the profile of its network if there is none.
    public static Decision<DocumentChange, CalicoEndpoint> record(
            EndpointView view, CalicoEndpoint endpoint, ProfileDocument profile, UUID uid, Instant now) {
        var changes = new ArrayList<DocumentChange>();
        // First, since an endpoint without its profile accepts no traffic.
        if (!view.profiled()) {
            changes.add(new DocumentChange.Put(
                    EndpointKeys.profile(profile.name()), profile.encode(), "make profile " + profile.name()));
        }
        changes.addAll(put(view, endpoint, uid, now));
        return new Decision<>(endpoint, changes, List.of());
    }

    private static List<DocumentChange> put(EndpointView view, CalicoEndpoint endpoint, UUID uid, Instant now) {
        var former = view.find(endpoint.name());
        var document = former.map(found -> found.replacedBy(endpoint))
                .orElseGet(() -> WorkloadEndpointDocument.create(endpoint, uid, now));
        var value = document.encode();
        if (former.map(WorkloadEndpointDocument::encode).filter(value::equals).isPresent()) {
            return List.of();
        }
        return List.of(new DocumentChange.Put(
                EndpointKeys.endpoint(endpoint.namespace(), endpoint.name()),
                value,
                "record endpoint " + endpoint.name()));
    }

    /// Forgets the endpoint of this name, unless it is another container's by now.
    public static Decision<DocumentChange, Removal> remove(EndpointView view, EndpointName name, String containerId) {
        var found = view.find(name);
        if (found.isEmpty()) {
            return new Decision<>(new Removal.Gone(), List.of(), List.of());
        }
        var endpoint = found.get().endpoint();
        if (!endpoint.isOf(containerId)) {
            return new Decision<>(new Removal.Kept(endpoint), List.of(), List.of());
        }
        return new Decision<>(
                new Removal.Gone(),
                List.of(new DocumentChange.Drop(
                        EndpointKeys.endpoint(endpoint.namespace(), name), "forget endpoint " + name)),
                List.of());
    }
}
