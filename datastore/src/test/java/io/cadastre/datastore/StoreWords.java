package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractComparableAssert;
import org.jspecify.annotations.Nullable;

/// The words in which the contract of the stores is written.
public final class StoreWords {

    private StoreWords() {}

    public static Bytes bytes(String text) {
        return Bytes.ofUtf8(text);
    }

    public static Write creation(String key, String value) {
        return new Write.Create(key, bytes(value));
    }

    public static Write update(Document document, String value) {
        return new Write.Update(document.key(), bytes(value), document.revision());
    }

    public static Document put(Datastore store, String key, String value) {
        return new Document(key, bytes(value), revisionOf(store.commit(List.of(creation(key, value)))));
    }

    public static Document replace(Datastore store, Document document, String value) {
        long revision = revisionOf(store.commit(List.of(update(document, value))));
        return new Document(document.key(), bytes(value), revision);
    }

    public static long delete(Datastore store, Document document) {
        return revisionOf(store.commit(List.of(new Write.Delete(document.key(), document.revision()))));
    }

    public static List<String> putMany(Datastore store, String prefix, int count) {
        var keys = IntStream.range(0, count)
                .mapToObj(index -> prefix + "%04d".formatted(index))
                .toList();
        keys.forEach(key -> put(store, key, "value of " + key));
        return keys;
    }

    public static long revisionOf(Commit commit) {
        assertThat(commit).isInstanceOf(Commit.Done.class);
        return ((Commit.Done) commit).revisions().getLast();
    }

    public static Notice changed(Document document) {
        return new Notice.Changed(document.revision(), List.of(new Change.Put(document)));
    }

    public static <T> T await(Future<T> future) throws Exception {
        return future.get(TestedStore.AMPLE.toSeconds(), TimeUnit.SECONDS);
    }

    public static void await(List<Future<?>> futures) throws Exception {
        for (var future : futures) {
            await(future);
        }
    }

    public static List<String> keysOf(List<Document> documents) {
        return documents.stream().map(Document::key).toList();
    }

    public static AbstractComparableAssert<?, Kind> assertThatKindOf(Callable<?> call) {
        return assertThat(kindOf(catchThrowable(call::call)));
    }

    public static AbstractComparableAssert<?, Kind> assertThatItFailed(Future<?> future) {
        var thrown = catchThrowable(() -> await(future));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        return assertThat(kindOf(thrown.getCause()));
    }

    private static Kind kindOf(@Nullable Throwable thrown) {
        if (thrown instanceof DatastoreException failure) {
            return failure.kind();
        }
        throw new AssertionError("expected a DatastoreException and saw " + thrown, thrown);
    }

    public static Bytes randomBytes(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Bytes.of(bytes);
    }
}
