package io.cadastre.wire.spiderpool.multus;

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
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.MultusConfigRules;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One SpiderMultusConfig and its NetworkAttachmentDefinition, in any store.
///
/// @param namespace of both
/// @param name of the SpiderMultusConfig
public record AttachmentBook(Datastore store, String namespace, String name)
        implements Book<AttachmentView, DocumentChange> {

    @Override
    public Page<AttachmentView, DocumentChange> open() {
        var config = store.get("%s%s/%s".formatted(SpiderKeys.MULTUS_CONFIGS, namespace, name)).stream()
                .toList();
        var attachments = config.isEmpty() ? leftBehind() : wanted(config.getFirst());
        var documents = new ArrayList<>(config);
        documents.addAll(attachments);
        return new AttachmentPage(
                store,
                new AttachmentView(namespace, name, config, attachments),
                WriteSet.over(documents, WriteSet.Order.AS_NOTED));
    }

    /// One that cannot be read is refused by the law.
    private List<Document> wanted(Document config) {
        try {
            var network = MultusConfigRules.networkName(Json.readObject(config.key(), config.value()));
            return store.get(AttachmentKeys.of(namespace, network)).stream().toList();
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return List.of();
        }
    }

    /// An API server deletes what belonged to a deleted object by itself.
    private List<Document> leftBehind() {
        return store.atomic()
                ? store.listAll(AttachmentKeys.ATTACHMENTS + namespace + "/").documents()
                : List.of();
    }

    /// One reading of the book. It takes the changes of one decision.
    private record AttachmentPage(Datastore store, AttachmentView view, WriteSet noted)
            implements Page<AttachmentView, DocumentChange> {

        @Override
        public AttachmentPage with(List<DocumentChange> changes) {
            return new AttachmentPage(store, view, noted.with(changes));
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            return Commits.save(store, noted.writes(), _ -> {}, recording);
        }

        @Override
        public Optional<Commit.Done> findApplied() {
            return store.findApplied(noted.writes());
        }
    }
}
