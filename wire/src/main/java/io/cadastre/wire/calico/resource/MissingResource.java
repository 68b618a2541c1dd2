package io.cadastre.wire.calico.resource;

import io.cadastre.engine.Missing;

/// Something that a decision about a resource must look at and that was not read.
sealed interface MissingResource extends Missing {

    record OfResource(CalicoKind kind, String name) implements MissingResource {
        @Override
        public String sentence() {
            return "%s has not been read".formatted(kind.named(name));
        }
    }

    record OfPools() implements MissingResource {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfBlocks() implements MissingResource {
        @Override
        public String sentence() {
            return "the blocks have not been listed";
        }
    }

    record OfNeighbours() implements MissingResource {
        @Override
        public String sentence() {
            return "the ranges of other dialects have not been read";
        }
    }
}
