package io.cadastre.engine.pool.subnet;

import io.cadastre.engine.Missing;

/// Something that this law needs and that has not been read.
public sealed interface MissingSubnetItem extends Missing {

    record OfApplication(OwnerApplication application) implements MissingSubnetItem {
        @Override
        public String sentence() {
            return "%s has not been read".formatted(application);
        }
    }
}
