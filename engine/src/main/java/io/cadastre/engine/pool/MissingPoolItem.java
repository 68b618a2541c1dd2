package io.cadastre.engine.pool;

import io.cadastre.engine.Missing;

/// Something that this law needs and that has not been read.
public sealed interface MissingPoolItem extends Missing {

    record OfPool(String name) implements MissingPoolItem {
        @Override
        public String sentence() {
            return "pool %s has not been read".formatted(name);
        }
    }

    record OfAllPools() implements MissingPoolItem {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    /// Which pools have addresses that this one has too.
    record OfRivals(String pool) implements MissingPoolItem {
        @Override
        public String sentence() {
            return "pools that overlap pool %s have not been looked for".formatted(pool);
        }
    }

    record OfReservations() implements MissingPoolItem {
        @Override
        public String sentence() {
            return "the reserved addresses have not been listed";
        }
    }

    record OfEndpoint(PodKey key) implements MissingPoolItem {
        @Override
        public String sentence() {
            return "the endpoint of pod %s has not been read".formatted(key);
        }
    }

    /// The endpoint of a pod that is not expected to have one. That may be assumed: a pod that has one is found when
    /// the endpoint is created.
    record OfUnexpectedEndpoint(PodKey key) implements MissingPoolItem {
        @Override
        public String sentence() {
            return "it is not known whether pod %s has an endpoint".formatted(key);
        }
    }
}
