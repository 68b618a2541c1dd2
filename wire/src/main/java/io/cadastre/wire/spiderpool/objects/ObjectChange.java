package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// One write of an object that people write. It does not change what is held.
public sealed interface ObjectChange extends Change {

    String key();

    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    record Create(String key, Bytes content) implements ObjectChange {
        @Override
        public String sentence() {
            return "create " + key;
        }
    }

    record Update(Document seen, Bytes content) implements ObjectChange {
        @Override
        public String key() {
            return seen.key();
        }

        @Override
        public String sentence() {
            return "update " + key();
        }
    }

    record Drop(Document seen) implements ObjectChange {
        @Override
        public String key() {
            return seen.key();
        }

        @Override
        public String sentence() {
            return "delete " + key();
        }
    }
}
