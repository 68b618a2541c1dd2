package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A piece of the log: changes in their order, as bytes.
///
/// Many changes in one row cost a fraction of a row each, and the log is only ever read in order.
///
/// | field | bytes |
/// |---|---|
/// | revision of the change | 8 |
/// | revision of the document before, zero if it was absent | 8 |
/// | size of the key | 4 |
/// | size of the value before | 4 |
/// | key | |
/// | value before | |
final class Chunk {

    private static final int HEADER_BYTES = 24;

    /// What a key held before a change. Revision zero says that it was absent.
    record Before(Bytes key, Bytes value, long revision) {

        boolean isAbsent() {
            return revision == 0;
        }
    }

    /// Receives the contents of a chunk.
    interface Visitor {

        /// Whether to go on.
        boolean visit(long revision, Before before);
    }

    private Chunk() {}

    /// Writes chunks. Grows as far as it is filled, and is kept from one to the next.
    static final class Builder {

        private ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

        void add(long revision, byte[] key, long beforeRevision, byte[] beforeValue) {
            int size = HEADER_BYTES + key.length + beforeValue.length;
            if (buffer.remaining() < size) {
                int needed = buffer.position() + size;
                var larger = ByteBuffer.allocate(Math.max(needed, 2 * buffer.capacity()));
                buffer = larger.put(buffer.flip());
            }
            buffer.putLong(revision)
                    .putLong(beforeRevision)
                    .putInt(key.length)
                    .putInt(beforeValue.length)
                    .put(key)
                    .put(beforeValue);
        }

        int size() {
            return buffer.position();
        }

        byte[] toByteArray() {
            return Arrays.copyOf(buffer.array(), buffer.position());
        }

        void clear() {
            buffer.clear();
        }
    }

    /// Shows the visitor the changes after a revision to keys of the range. Returns whether it wants to
    /// go on.
    static boolean read(byte[] chunk, long after, KeyRange range, Visitor visitor) {
        var buffer = ByteBuffer.wrap(chunk);
        while (buffer.hasRemaining()) {
            long revision = buffer.getLong();
            long beforeRevision = buffer.getLong();
            int keyBytes = buffer.getInt();
            int valueBytes = buffer.getInt();
            int at = buffer.position();
            buffer.position(at + keyBytes + valueBytes);
            if (revision > after && range.contains(chunk, at, at + keyBytes)) {
                var before =
                        new Before(bytes(chunk, at, keyBytes), bytes(chunk, at + keyBytes, valueBytes), beforeRevision);
                if (!visitor.visit(revision, before)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Bytes bytes(byte[] chunk, int from, int size) {
        return Bytes.of(Arrays.copyOfRange(chunk, from, from + size));
    }
}
