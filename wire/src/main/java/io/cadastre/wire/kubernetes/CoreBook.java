package io.cadastre.wire.kubernetes;

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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One object by its key, which is read and written alone.
///
/// @param key that of the object
public record CoreBook(Datastore store, String key) implements Book<CoreBook.Stored, DocumentChange> {

    /// What is there.
    ///
    /// @param documents the one of the key, or none
    public record Stored(List<Document> documents) {

        public Stored {
            documents = List.copyOf(documents);
        }

        public Optional<Document> find() {
            return documents.stream().findFirst();
        }
    }

    @Override
    public Page<Stored, DocumentChange> open() {
        var documents = store.get(key).stream().toList();
        return new CorePage(store, new Stored(documents), WriteSet.over(documents, WriteSet.Order.AS_NOTED));
    }

    /// One reading of the book. It takes the changes of one decision.
    private record CorePage(Datastore store, Stored view, WriteSet noted) implements Page<Stored, DocumentChange> {

        @Override
        public CorePage with(List<DocumentChange> changes) {
            return new CorePage(store, view, noted.with(changes));
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
