package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.Optional;
import java.util.zip.CRC32C;

/// How far a database had come when a caller was answered.
///
/// @param store which database it is, by the random number it was made with; zeros if it is one that is
///     being adopted, and has what is promised here in another file
/// @param revision the newest revision
/// @param records the number of the last record of its journal, zero if it has none
/// @param lastRecord the SHA-256 of that record; zeros if there is none, or if it may be cut off
record HighWaterMark(Bytes store, long revision, long records, Bytes lastRecord) implements Comparable<HighWaterMark> {

    static final int STORE_BYTES = 16;

    static final Bytes NO_RECORD = Bytes.of(new byte[32]);

    private static final Bytes NO_STORE = Bytes.of(new byte[STORE_BYTES]);

    /// A power of two, so that none lies across two sectors of a disk, which are written one by one.
    static final int ENCODED_BYTES = 128;

    /// "CdstMrk1" in ASCII.
    private static final long MAGIC = 0x436473744d726b31L;

    private static final int CHECKSUM_AT = ENCODED_BYTES - Long.BYTES;

    /// What is known of a store that is to be adopted, before it has it.
    static HighWaterMark ofNoStore(long revision, long records) {
        return new HighWaterMark(NO_STORE, revision, records, NO_RECORD);
    }

    /// Whether it says to which database it belongs.
    boolean tellsStore() {
        return !store.equals(NO_STORE);
    }

    static Bytes hash(byte[] record) {
        try {
            return Bytes.of(MessageDigest.getInstance("SHA-256").digest(record));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java has SHA-256", absent);
        }
    }

    /// Both numbers only ever grow, so of two marks of one database neither is ahead in one and behind
    /// in the other.
    @Override
    public int compareTo(HighWaterMark other) {
        return Comparator.comparingLong(HighWaterMark::revision)
                .thenComparingLong(HighWaterMark::records)
                .compare(this, other);
    }

    /// The same without which record is the last one.
    HighWaterMark withoutLastRecord() {
        return new HighWaterMark(store, revision, records, NO_RECORD);
    }

    /// Whether it promises which record has its number.
    boolean tellsLastRecord() {
        return !lastRecord.equals(NO_RECORD);
    }

    /// Whether it promises nothing.
    boolean isZero() {
        return revision == 0 && records == 0;
    }

    byte[] encode() {
        var buffer = ByteBuffer.allocate(ENCODED_BYTES);
        buffer.putLong(MAGIC).put(store.toByteArray()).putLong(revision).putLong(records);
        buffer.put(lastRecord.toByteArray());
        return buffer.putLong(CHECKSUM_AT, checksum(buffer)).array();
    }

    /// The mark at this place, unless it was written in part or never.
    static Optional<HighWaterMark> decode(byte[] bytes, int at) {
        var buffer = ByteBuffer.wrap(bytes, at, ENCODED_BYTES).slice();
        if (buffer.getLong(CHECKSUM_AT) != checksum(buffer) || buffer.getLong() != MAGIC) {
            return Optional.empty();
        }
        var store = take(buffer, STORE_BYTES);
        long revision = buffer.getLong();
        long records = buffer.getLong();
        return Optional.of(new HighWaterMark(store, revision, records, take(buffer, NO_RECORD.size())));
    }

    private static Bytes take(ByteBuffer buffer, int size) {
        var bytes = new byte[size];
        buffer.get(bytes);
        return Bytes.of(bytes);
    }

    private static long checksum(ByteBuffer buffer) {
        var checksum = new CRC32C();
        checksum.update(buffer.slice(0, CHECKSUM_AT));
        return checksum.getValue();
    }
}
