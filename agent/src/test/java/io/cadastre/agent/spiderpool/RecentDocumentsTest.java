package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecentDocumentsTest {

    private static final String NODE = CoreKeys.NODES + "n1";

    private final MemoryDatastore store = new MemoryDatastore();
    private final RecentDocuments recent = new RecentDocuments(store, InstantSource.fixed(Instant.EPOCH));

    @BeforeEach
    void nodeThatWasReadBeforeItChanged() {
        assertThat(store.commit(List.of(new Write.Create(NODE, Bytes.ofUtf8("old")))))
                .isInstanceOf(Commit.Done.class);
        text();
        long revision = store.get(NODE).map(Document::revision).orElseThrow();
        assertThat(store.commit(List.of(new Write.Update(NODE, Bytes.ofUtf8("new"), revision))))
                .isInstanceOf(Commit.Done.class);
    }

    private String text() {
        return recent.find(NODE).orElseThrow().value().utf8();
    }

    @Test
    void documentIsKeptForAMoment() {
        assertThat(text()).isEqualTo("old");
    }

    @Test
    void refusedCallersThatFoundTheSameOldDocumentBothFindTheNewOne() {
        long first = recent.readings();
        assertThat(text()).isEqualTo("old");
        long second = recent.readings();
        assertThat(text()).isEqualTo("old");

        recent.forgetReadUpTo(first);
        assertThat(text()).isEqualTo("new");
        recent.forgetReadUpTo(second);
        assertThat(text()).isEqualTo("new");
    }
}
