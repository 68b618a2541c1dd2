package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A store whose commits go another way, or which is misread.
public record AlteredStore(
        Datastore store, Function<List<Write>, Commit> committing, UnaryOperator<String> understanding)
        implements Datastore {

    public AlteredStore(Datastore store, Function<List<Write>, Commit> committing) {
        this(store, committing, UnaryOperator.identity());
    }

    /// Whatever is read is understood otherwise.
    public static AlteredStore misreading(Datastore store, UnaryOperator<String> understanding) {
        return new AlteredStore(store, store::commit, understanding);
    }

    private Document understood(Document document) {
        var text = understanding.apply(document.value().utf8());
        return new Document(document.key(), Bytes.ofUtf8(text), document.revision());
    }

    private Listing understood(Listing listing) {
        return new Listing(
                listing.documents().stream().map(this::understood).toList(), listing.revision(), listing.next());
    }

    /// Writes whatever is there: each condition is brought up to date just before the write.
    public static AlteredStore blind(Datastore store) {
        return blindTo(store, "");
    }

    /// Writes keys that begin like this whatever is there.
    static AlteredStore blindTo(Datastore store, String prefix) {
        return new AlteredStore(
                store,
                writes -> store.commit(writes.stream()
                        .map(write -> write.key().startsWith(prefix) ? unconditional(store, write) : write)
                        .toList()));
    }

    private static Write unconditional(Datastore store, Write write) {
        var current = store.get(write.key());
        return switch (write) {
            case Write.Create(var key, var value) ->
                current.<Write>map(it -> new Write.Update(key, value, it.revision()))
                        .orElse(write);
            case Write.Update(var key, var value, var _) ->
                current.<Write>map(it -> new Write.Update(key, value, it.revision()))
                        .orElse(new Write.Create(key, value));
            case Write.Delete(var key, var _) ->
                current.<Write>map(it -> new Write.Delete(key, it.revision())).orElse(write);
        };
    }

    /// Takes a lost answer for a failure.
    public static AlteredStore certain(Datastore store) {
        return new AlteredStore(store, writes -> switch (store.commit(writes)) {
            case Commit.Unknown unknown ->
                throw new DatastoreException(DatastoreException.Kind.FAILED, unknown.reason());
            case Commit known -> known;
        });
    }

    @Override
    public Commit commit(List<Write> writes) {
        return committing.apply(writes);
    }

    @Override
    public Optional<Document> get(String key) {
        return store.get(key).map(this::understood);
    }

    @Override
    public Listing list(String prefix, int limit) {
        return understood(store.list(prefix, limit));
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return understood(store.list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        return store.watch(prefix, after);
    }

    @Override
    public void close() {}
}
