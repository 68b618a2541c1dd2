package io.cadastre.engine.block;

import io.cadastre.address.Address;
import java.time.Instant;

/// A request to change what is recorded about the user of an address.
public record OwnerRequest(Address address, String handle, Side active, Side alternate, Instant now) {

    /// What is to be said of one of the two owners, and what must be so before.
    public record Side(OwnerUpdate update, OwnerUpdate.Expectation expectation) {

        public static final Side KEEP = new Side(new OwnerUpdate.Keep(), new OwnerUpdate.Expectation.Anything());

        public static Side of(OwnerUpdate update) {
            return new Side(update, new OwnerUpdate.Expectation.Anything());
        }

        public Side expecting(OwnerUpdate.Expectation other) {
            return new Side(update, other);
        }
    }
}
