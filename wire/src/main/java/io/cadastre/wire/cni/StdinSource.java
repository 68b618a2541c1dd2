package io.cadastre.wire.cni;

import io.cadastre.datastore.Bytes;
import java.io.IOException;
import java.io.InputStream;

/// Where the configuration of a call comes from. It is read at most once, and not at all by VERSION.
@FunctionalInterface
public interface StdinSource {

    /// Reads to the end, or until there are this many bytes.
    byte[] read(int bytesMax) throws IOException;

    static StdinSource of(InputStream stream) {
        return stream::readNBytes;
    }

    static StdinSource of(Bytes bytes) {
        return _ -> bytes.toByteArray();
    }
}
