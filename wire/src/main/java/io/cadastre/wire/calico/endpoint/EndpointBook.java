package io.cadastre.wire.calico.endpoint;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.registry.Book;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The endpoints of one workload and the profile of one network, in any store.
public final class EndpointBook implements Book<EndpointView, EndpointChange> {

    private final Datastore store;
    private final String namespace;
    private final EndpointName name;
    private final String network;

    /// @param name one of the workload's names, by whatever interface
    public EndpointBook(Datastore store, String namespace, EndpointName name, String network) {
        this.store = store;
        this.namespace = namespace;
        this.name = name;
        this.network = network;
    }

    /// @throws io.cadastre.wire.json.UnreadableDocumentException if an endpoint of the workload cannot be
    ///     read
    @Override
    public Page<EndpointView, EndpointChange> open() {
        var prefix = EndpointKeys.workload(namespace, name);
        var documents = new ArrayList<Document>();
        var endpoints = new ArrayList<WorkloadEndpointDocument>();
        for (var document : store.listAll(prefix).documents()) {
            var text = document.key().substring(prefix.length() - name.prefix().length());
            EndpointName.find(text).filter(name::sameWorkload).ifPresent(found -> {
                documents.add(document);
                endpoints.add(WorkloadEndpointDocument.decode(document.key(), namespace, found, document.value()));
            });
        }
        var profile = store.get(EndpointKeys.profile(network));
        profile.ifPresent(documents::add);
        return new ReadPage(store, new EndpointView(endpoints, profile.isPresent()), WriteSet.over(documents), false);
    }

    /// One reading. It takes the changes of one decision, since its view does not know of them.
    private record ReadPage(Datastore store, EndpointView view, WriteSet writes, boolean noted)
            implements Page<EndpointView, EndpointChange> {

        @Override
        public ReadPage with(List<EndpointChange> changes) {
            if (changes.isEmpty()) {
                return this;
            }
            if (noted) {
                throw new PageFullException("endpoints are written one decision at a time");
            }
            var after = writes;
            for (var change : changes) {
                after = switch (change) {
                    case EndpointChange.Put(var key, var value, var _) -> after.put(key, value);
                    case EndpointChange.Drop(var key, var _) -> after.delete(key);
                };
            }
            return new ReadPage(store, view, after, true);
        }

        @Override
        public Commit save() {
            return save(_ -> {}, Recording.none());
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            var noted = writes.writes();
            return Commits.save(store, noted, _ -> {}, recording);
        }

        @Override
        public Optional<Commit.Done> findApplied() {
            return store.findApplied(writes.writes());
        }
    }
}
