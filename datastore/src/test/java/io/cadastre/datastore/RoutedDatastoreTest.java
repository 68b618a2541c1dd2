package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.memory.MemoryDatastore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutedDatastoreTest {

    private final MemoryDatastore near = new MemoryDatastore();
    private final MemoryDatastore far = new MemoryDatastore();
    private final RoutedDatastore routed =
            RoutedDatastore.of(List.of(new Route("a/", far), new Route("a/near/", near)));

    private static Write.Create create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    @Test
    void aKeyIsWhereTheLongestPrefixSays() {
        routed.commit(List.of(create("a/near/1")));
        routed.commit(List.of(create("a/2")));

        assertThat(near.get("a/near/1")).isPresent();
        assertThat(far.get("a/2")).isPresent();
        assertThat(far.get("a/near/1")).isEmpty();
        assertThat(routed.get("a/near/1")).isPresent();
        assertThat(routed.listAll("a/near/").documents()).hasSize(1);
    }

    @Test
    void keysOfSeveralStoresCannotBeListedOrWatchedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> routed.list("a/", 1))
                .withMessageContaining("several stores");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> routed.watch("a/", 0))
                .withMessageContaining("several stores");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> routed.get("b"))
                .withMessageContaining("no store has 'b'");
    }

    @Test
    void aWatchReportsTheWritesOfItsStore() {
        try (var watch = routed.watch("a/near/", 0)) {
            routed.commit(List.of(create("a/2")));
            routed.commit(List.of(create("a/near/1")));

            assertThat(watch.next(Duration.ofSeconds(10))).isInstanceOf(Watch.Notice.Changed.class);
        }
    }

    @Test
    void aCommitToSeveralStoresTellsHowFarItCame() {
        near.commit(List.of(create("a/near/1")));

        var commit = routed.commit(List.of(create("a/1"), create("a/2"), create("a/near/1")));

        assertThat(commit).isEqualTo(new Commit.Conflict(2, Commit.Kind.EXISTS));
        assertThat(far.listAll("").documents()).hasSize(2);
        assertThat(routed.atomic()).isFalse();
    }

    @Test
    void aStoreThatFailsAfterAnotherHasWrittenLeavesItUnknown() {
        near.close();

        assertThat(routed.commit(List.of(create("a/1"), create("a/near/1")))).isInstanceOf(Commit.Unknown.class);
        assertThatExceptionOfType(DatastoreException.class)
                .isThrownBy(() -> routed.commit(List.of(create("a/near/1"), create("a/2"))));
    }

    @Test
    void independentWritesGoToTheirStores() {
        near.commit(List.of(create("a/near/1")));

        var inBoth = routed.commitEach(List.of(create("a/1"), create("a/near/1"), create("a/near/2")));
        var inOne = routed.commitEach(List.of(create("a/2"), create("a/3")));

        assertThat(inBoth.get(1)).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
        assertThat(inOne).hasSize(2).hasOnlyElementsOfType(Commit.Done.class);
        assertThat(far.listAll("").documents()).hasSize(3);
        assertThat(near.listAll("").documents()).hasSize(2);
    }
}
