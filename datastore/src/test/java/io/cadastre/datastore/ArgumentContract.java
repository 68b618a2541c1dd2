package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which arguments a store refuses.
interface ArgumentContract extends TestedStore {

    @Test
    default void badArgumentsAreRefusedAndNothingIsWritten() throws Exception {
        var store = openStore();
        var longKey = "k".repeat(Datastore.KEY_BYTES_MAX - 1) + "é";
        var halfCharacter = "a" + Character.MIN_HIGH_SURROGATE;
        var longValue = randomBytes(Datastore.VALUE_BYTES_MAX + 1);
        var tooMany = IntStream.rangeClosed(0, Datastore.WRITES_MAX)
                .<Write>mapToObj(index -> creation("key-" + index, "1"))
                .toList();

        assertRefused(() -> store.get(""), "key is empty");
        assertRefused(() -> store.get(longKey), "1025 bytes", "1024");
        assertRefused(() -> store.get(halfCharacter), "half a character");
        assertRefused(() -> store.list(longKey, 1), "prefix", "1024");
        assertRefused(() -> store.list("a", 0), "limit 0", "1000");
        assertRefused(() -> store.list("a", Datastore.PAGE_DOCUMENTS_MAX + 1), "limit 1001");
        assertRefused(() -> store.list(new Listing.Cursor("a/", "b", 1), 1), "'b'", "prefix 'a/'");
        assertRefused(() -> store.watch(longKey, 0), "prefix", "1024");
        assertRefused(() -> store.watch("a", -1), "revision -1");
        assertRefused(() -> store.commit(List.of()), "commit of 0 writes");
        assertRefused(() -> store.commit(tooMany), "commit of 129 writes", "128");
        assertRefused(() -> store.commit(List.of(creation("a", "1"), creation("", "1"))), "key is empty");
        assertRefused(() -> store.commit(List.of(creation("a", "1"), creation(longKey, "1"))), "1025 bytes");
        assertRefused(() -> store.commit(List.of(new Write.Create("a", longValue))), "'a'", "1048577 bytes", "1048576");
        assertRefused(
                () -> store.commit(List.of(creation("a", "1"), creation("b", "1"), creation("a", "2"))),
                "'a' is written twice");
        assertRefused(() -> store.commit(List.of(new Write.Delete("a", -1))), "revision -1");
        assertRefused(() -> store.commitEach(tooMany), "commit of 129 writes", "128");
        assertRefused(() -> store.commitEach(List.of(creation("a", "1"), creation("a", "2"))), "'a' is written twice");

        assertThat(store.list("", 10).documents()).isEmpty();
    }

    private static void assertRefused(Callable<?> call, String... words) {
        var thrown = catchThrowable(call::call);
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(words);
    }
}
