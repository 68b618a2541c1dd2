package io.cadastre.engine.pool;

import io.cadastre.engine.Lack;

/// Something that this law must look at and that nobody has read.
public sealed interface PoolLack extends Lack {

    record OfPool(String name) implements PoolLack {
        @Override
        public String sentence() {
            return "pool %s has not been read".formatted(name);
        }
    }

    record OfAllPools() implements PoolLack {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfReservations() implements PoolLack {
        @Override
        public String sentence() {
            return "the reserved addresses have not been listed";
        }
    }

    record OfEndpoint(PodKey key) implements PoolLack {
        @Override
        public String sentence() {
            return "the endpoint of pod %s has not been read".formatted(key);
        }
    }
}
