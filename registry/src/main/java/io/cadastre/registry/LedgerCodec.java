package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Holding;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The bytes of a ledger entry: its hash, then its body.
///
/// The hash is SHA-256 over the hash of the entry before and the body. The body begins with a format
/// number and the entry's own number, so an entry cannot pass for another. All numbers are big-endian
/// and every text and list says its length first; nothing in it depends on a locale, a map's order or
/// a library.
final class LedgerCodec {

    private static final int FORMAT = 1;
    private static final int HASH_BYTES = 32;

    /// No text and no list of an entry is longer; more is a damaged length.
    private static final int LENGTH_MAX = 1 << 24;

    private LedgerCodec() {}

    /// What the first entry has in place of the hash of an entry before it.
    static byte[] genesis() {
        return new byte[HASH_BYTES];
    }

    static byte[] hash(Bytes content) {
        return Arrays.copyOf(content.toByteArray(), HASH_BYTES);
    }

    static String hexadecimal(byte[] hash) {
        return HexFormat.of().formatHex(hash);
    }

    static Bytes encode(long number, Ledger.Entry entry, byte[] before) {
        try {
            var bytes = new ByteArrayOutputStream();
            var out = new DataOutputStream(bytes);
            out.writeByte(FORMAT);
            out.writeLong(number);
            writeText(out, entry.at().toString());
            writeText(out, entry.request());
            writeText(out, entry.outcome());
            out.writeInt(entry.attempt());
            out.writeLong(entry.revision());
            writeHoldings(out, entry.granted());
            writeHoldings(out, entry.returned());
            out.writeInt(entry.because().size());
            for (var sentence : entry.because()) {
                writeText(out, sentence);
            }
            var body = bytes.toByteArray();
            var content = Arrays.copyOf(digest(before, body), HASH_BYTES + body.length);
            System.arraycopy(body, 0, content, HASH_BYTES, body.length);
            return Bytes.of(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /// What is wrong with an entry's bytes, given the hash of the entry before it.
    static Optional<String> fault(long number, Bytes content, byte[] before) {
        var bytes = content.toByteArray();
        if (bytes.length < HASH_BYTES) {
            return Optional.of("it is cut short");
        }
        var body = Arrays.copyOfRange(bytes, HASH_BYTES, bytes.length);
        if (!MessageDigest.isEqual(digest(before, body), Arrays.copyOf(bytes, HASH_BYTES))) {
            return Optional.of("its hash does not match what it says");
        }
        try {
            decode(number, content);
            return Optional.empty();
        } catch (LedgerException unreadable) {
            return Optional.of(unreadable.reason());
        }
    }

    static Ledger.Entry decode(long number, Bytes content) {
        var bytes = content.toByteArray();
        if (bytes.length < HASH_BYTES) {
            throw new LedgerException(number, "it is cut short");
        }
        var in =
                new DataInputStream(
                        new ByteArrayInputStream(bytes, HASH_BYTES, bytes.length - HASH_BYTES));
        try {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new LedgerException(
                        number, "it has format %d, not %d".formatted(format, FORMAT));
            }
            long own = in.readLong();
            if (own != number) {
                throw new LedgerException(number, "it is entry %d".formatted(own));
            }
            var entry =
                    new Ledger.Entry(
                            Instant.parse(readText(in)),
                            readText(in),
                            readText(in),
                            in.readInt(),
                            in.readLong(),
                            readHoldings(in),
                            readHoldings(in),
                            readTexts(in));
            if (in.available() != 0) {
                throw new LedgerException(number, "something follows it");
            }
            return entry;
        } catch (IOException | IllegalArgumentException | DateTimeException damaged) {
            throw new LedgerException(number, "its bytes are damaged");
        }
    }

    /// The byte that stands for a family, in the families' order.
    static byte mark(Family family) {
        return switch (family) {
            case IPV4 -> 4;
            case IPV6 -> 6;
        };
    }

    private static byte[] digest(byte[] before, byte[] body) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(before);
            return digest.digest(body);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(readLength(in)), StandardCharsets.UTF_8);
    }

    private static List<String> readTexts(DataInputStream in) throws IOException {
        int count = readLength(in);
        var texts = new ArrayList<String>();
        for (int index = 0; index < count; index++) {
            texts.add(readText(in));
        }
        return texts;
    }

    private static void writeHoldings(DataOutputStream out, List<Holding> holdings)
            throws IOException {
        out.writeInt(holdings.size());
        for (var holding : holdings) {
            writeAddress(out, holding.range().first());
            writeAddress(out, holding.range().last());
            writeText(out, holding.level().name());
            writeText(out, holding.holder());
            writeText(out, holding.state().name());
        }
    }

    private static List<Holding> readHoldings(DataInputStream in) throws IOException {
        int count = readLength(in);
        var holdings = new ArrayList<Holding>();
        for (int index = 0; index < count; index++) {
            var range = new Range(readAddress(in), readAddress(in));
            var level = Holding.Level.valueOf(readText(in));
            var holder = readText(in);
            holdings.add(new Holding(range, level, holder, Holding.State.valueOf(readText(in))));
        }
        return holdings;
    }

    private static void writeAddress(DataOutputStream out, Address address) throws IOException {
        out.writeByte(mark(address.family()));
        out.writeLong(address.high());
        out.writeLong(address.low());
    }

    private static Address readAddress(DataInputStream in) throws IOException {
        byte mark = in.readByte();
        for (var family : Family.values()) {
            if (mark(family) == mark) {
                return new Address(family, in.readLong(), in.readLong());
            }
        }
        throw new IOException("a family of %d".formatted(mark));
    }

    private static int readLength(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > LENGTH_MAX || length > in.available()) {
            throw new IOException("a length of %d".formatted(length));
        }
        return length;
    }
}
