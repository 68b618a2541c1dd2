package io.cadastre.wire.calico.endpoint;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.registry.Book;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The endpoints of one workload and the profile of one network, in any store.
public final class EndpointBook implements Book<EndpointView, DocumentChange> {

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
    public Page<EndpointView, DocumentChange> open() {
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
        return new ReadPage(
                store,
                new EndpointView(endpoints, profile.isPresent()),
                WriteSet.over(documents, WriteSet.Order.DELETIONS_FIRST));
    }

    /// One reading. It takes the changes of one decision, since its view does not know of them.
    private record ReadPage(Datastore store, EndpointView view, WriteSet writes)
            implements Page<EndpointView, DocumentChange> {

        @Override
        public ReadPage with(List<DocumentChange> changes) {
            return new ReadPage(store, view, writes.with(changes));
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            return Commits.save(store, writes.writes(), _ -> {}, recording);
        }

        @Override
        public Optional<Commit.Done> findApplied() {
            return store.findApplied(writes.writes());
        }
    }
}
