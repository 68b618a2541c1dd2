package io.cadastre.wire.book;

import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// A change that is one write of one document.
public sealed interface DocumentChange extends Change {

    String key();

    /// Creates or replaces the document.
    record Put(String key, Bytes value, String sentence, List<Holding> granted) implements DocumentChange {

        public Put {
            granted = List.copyOf(granted);
        }

        /// A write that changes no holding.
        public Put(String key, Bytes value, String sentence) {
            this(key, value, sentence, List.of());
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    /// Deletes the document.
    record Drop(String key, String sentence, List<Holding> returned) implements DocumentChange {

        public Drop {
            returned = List.copyOf(returned);
        }

        /// A deletion that changes no holding.
        public Drop(String key, String sentence) {
            this(key, sentence, List.of());
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }
    }
}
