package io.cadastre.wire.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// How often the ranges of other dialects are read.
class SurveyedBookTest {

    private final AtomicReference<Instant> time = new AtomicReference<>(Instant.EPOCH);

    /// A cluster, which keeps no cursors of node CIDRs.
    private record ClusterStore(Datastore store, List<String> listed, List<String> lacking)
            implements ForwardingDatastore {

        @Override
        public boolean hasPlace(String key) {
            return key.startsWith(SpiderKeys.POOLS) || key.startsWith(CalicoKeys.POOLS);
        }

        @Override
        public Listing list(String prefix, int limit) {
            listed.add(prefix);
            if (lacking.contains(prefix)) {
                throw new DatastoreException(DatastoreException.Kind.NOT_INSTALLED, "not installed: " + prefix);
            }
            return ForwardingDatastore.super.list(prefix, limit);
        }
    }

    private SurveyedBook<ObjectView, DocumentChange> bookOver(Datastore store) {
        return new SurveyedBook<>(new ObjectBook(store), store, time::get);
    }

    private void decideAfter(Duration pause, SurveyedBook<ObjectView, DocumentChange> book) {
        time.updateAndGet(now -> now.plus(pause));
        assertThat(book.remarks(List.of(new DocumentChange.Drop("k", "delete k"))))
                .isEmpty();
    }

    @Test
    void clusterThatLacksTheOtherDialectIsAskedOnceAnHour() {
        var listed = new ArrayList<String>();
        var book = bookOver(new ClusterStore(new MemoryDatastore(), listed, List.of(SpiderKeys.POOLS)));

        decideAfter(Duration.ZERO, book);
        decideAfter(Duration.ofMinutes(59), book);
        var withinAnHour = List.copyOf(listed);
        decideAfter(Duration.ofMinutes(2), book);

        assertThat(withinAnHour).containsExactly(CalicoKeys.POOLS, SpiderKeys.POOLS);
        assertThat(listed).hasSize(4);
    }

    @Test
    void clusterWithBothDialectsIsAskedOnceAMinute() {
        var listed = new ArrayList<String>();
        var book = bookOver(new ClusterStore(new MemoryDatastore(), listed, List.of()));

        decideAfter(Duration.ZERO, book);
        decideAfter(Duration.ofSeconds(59), book);
        var withinAMinute = List.copyOf(listed);
        decideAfter(Duration.ofSeconds(2), book);

        assertThat(withinAMinute).containsExactly(CalicoKeys.POOLS, SpiderKeys.POOLS, SpiderKeys.SUBNETS);
        assertThat(listed).hasSize(6);
    }
}
