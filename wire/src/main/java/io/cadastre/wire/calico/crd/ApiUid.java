package io.cadastre.wire.calico.crd;

import java.util.UUID;

/// The identity that users of the older group see, which is not that of the object: every byte of it is
/// mirrored but the two that say which kind of UUID it is. Mirroring twice changes nothing.
final class ApiUid {

    /// Bytes 6 and 8, each in its half.
    private static final long VERSION_BYTE = 0x0000_0000_0000_ff00L;

    private static final long VARIANT_BYTE = 0xff00_0000_0000_0000L;

    private ApiUid() {}

    /// The other of the two; a text that is not a UUID stays as it is.
    static String mirrored(String uid) {
        try {
            var read = UUID.fromString(uid);
            return new UUID(
                            mirrored(read.getMostSignificantBits(), VERSION_BYTE),
                            mirrored(read.getLeastSignificantBits(), VARIANT_BYTE))
                    .toString();
        } catch (IllegalArgumentException _) {
            return uid;
        }
    }

    private static long mirrored(long half, long kept) {
        long bitsOfBytes = Long.reverseBytes(Long.reverse(half));
        return (bitsOfBytes & ~kept) | (half & kept);
    }
}
