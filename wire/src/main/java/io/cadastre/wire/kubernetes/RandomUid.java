package io.cadastre.wire.kubernetes;

import java.util.UUID;
import java.util.random.RandomGenerator;

/// The identity of a new object, of the kind of UUID whose bits are random (RFC 9562, version 4).
public final class RandomUid {

    private RandomUid() {}

    public static UUID by(RandomGenerator dice) {
        long high = (dice.nextLong() & ~0xf000L) | 0x4000L;
        long low = (dice.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
