package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Owner;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedDocumentsTest {

    private static final StoredDocument OLD = entry("10.0.0.0/30", 1);
    private static final StoredDocument NEW = entry("10.0.0.4/30", 2);

    private final KeyedDocuments known = KeyedDocuments.NONE.with(List.of(OLD)).settled();

    private static StoredDocument entry(String cidr, long revision) {
        var affinity = Affinity.pending(Owner.host("node-a"), Prefix.parse(cidr));
        var key = new CalicoKey.OfAffinity(affinity.owner(), affinity.cidr());
        return new StoredDocument(key, AffinityDocument.create(affinity), revision);
    }

    @Test
    void onlyWhatCameSinceIsLearned() {
        var more = known.with(List.of(NEW));

        assertThat(more.learned()).containsExactly(NEW);
        assertThat(more.find(OLD.key())).contains(OLD);
        assertThat(more.find(NEW.key())).contains(NEW);
        assertThat(known.find(NEW.key())).isEmpty();
    }

    @Test
    void learnedDocumentReplacesTheKnownOne() {
        var newer = entry("10.0.0.0/30", 3);

        assertThat(known.with(List.of(newer)).find(OLD.key())).contains(newer);
        assertThat(known.with(List.of(newer)).settled().find(OLD.key())).contains(newer);
    }

    @Test
    void removedDocumentStaysRemoved() {
        var fewer = known.with(List.of(NEW)).without(OLD.key());

        assertThat(fewer.find(OLD.key())).isEmpty();
        assertThat(fewer.settled().find(OLD.key())).isEmpty();
        assertThat(fewer.learned()).containsExactly(NEW);
    }

    @Test
    void unwantedOnesAreGoneFromBoth() {
        var fewer = known.with(List.of(NEW)).without(key -> key instanceof CalicoKey.OfAffinity);

        assertThat(fewer.find(OLD.key())).isEmpty();
        assertThat(fewer.find(NEW.key())).isEmpty();
        assertThat(fewer.learned()).isEmpty();
    }
}
