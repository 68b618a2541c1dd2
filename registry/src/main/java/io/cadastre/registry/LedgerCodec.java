package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.HolderFacts;
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
import java.util.LinkedHashMap;
import java.util.List;

/// The bytes of a ledger entry: its hash, then its body.
///
/// The hash is SHA-256 over the hash of the entry before and the body. The body begins with a format
/// number and the entry's own number, so an entry cannot pass for another. All numbers are big-endian
/// and every text and list says its length first; nothing in it depends on a locale, a map's order or
/// a library.
///
/// Format 1 has the outcome and the reasons as texts, and of a holder nothing but its name. It is not
/// written any more and read for ever.
final class LedgerCodec {

    static final int FORMAT = 2;
    private static final int FORMAT_OF_TEXTS = 1;

    /// What an entry of format 2 records.
    private static final byte DECISION = 0;

    private static final byte CUT = 1;

    private static final byte TEXT = 0;
    private static final byte SEVERAL = 1;
    private static final byte RULED = 2;

    /// Facts lie in facts so deep; more is damage.
    private static final int DEPTH_MAX = 32;

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
        return encode(number, DECISION, entry, before);
    }

    /// The bytes of an entry of a [LedgerCut].
    static Bytes encodeCut(long number, Ledger.Entry entry, byte[] before) {
        return encode(number, CUT, entry, before);
    }

    /// The hash that the entry after this one is chained to. What stands for entries that were cut off
    /// passes on the hash of the last of them.
    static byte[] chained(Journal.Entry record) {
        var decoded = decode(record.number(), record.content());
        return decoded.cut()
                ? bytes(
                        record.number(),
                        LedgerCut.of(record.number(), decoded.entry()).hash())
                : hash(record.content());
    }

    /// Whether a record stands for entries that were cut off.
    static boolean isCut(Journal.Entry record) {
        var bytes = record.content().toByteArray();
        int kind = HASH_BYTES + 1 + Long.BYTES;
        return bytes.length > kind && bytes[HASH_BYTES] == FORMAT && bytes[kind] == CUT;
    }

    static byte[] bytes(long number, String hexadecimal) {
        try {
            return HexFormat.of().parseHex(hexadecimal);
        } catch (IllegalArgumentException damaged) {
            throw new LedgerException(number, "its bytes are damaged");
        }
    }

    private static Bytes encode(long number, byte kind, Ledger.Entry entry, byte[] before) {
        try {
            var bytes = new ByteArrayOutputStream();
            var out = new DataOutputStream(bytes);
            out.writeByte(FORMAT);
            out.writeLong(number);
            out.writeByte(kind);
            writeText(out, entry.at().toString());
            writeText(out, entry.request());
            writeFact(out, entry.outcome());
            out.writeInt(entry.attempt());
            out.writeLong(entry.revision());
            writeHoldings(out, entry.granted());
            writeHoldings(out, entry.returned());
            out.writeInt(entry.because().size());
            for (var reason : entry.because()) {
                writeFact(out, reason);
            }
            var body = bytes.toByteArray();
            var content = Arrays.copyOf(digest(before, body), HASH_BYTES + body.length);
            System.arraycopy(body, 0, content, HASH_BYTES, body.length);
            return Bytes.of(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /// An entry that can be read.
    ///
    /// @param cut whether it stands for entries that were cut off
    record Decoded(int format, boolean cut, Ledger.Entry entry) {}

    /// Reads an entry, given the hash of the entry before it.
    ///
    /// @throws LedgerException if it is not as it was written
    static Decoded verified(long number, Bytes content, byte[] before) {
        var bytes = content.toByteArray();
        if (bytes.length < HASH_BYTES) {
            throw new LedgerException(number, "it is cut short");
        }
        var body = Arrays.copyOfRange(bytes, HASH_BYTES, bytes.length);
        if (!MessageDigest.isEqual(digest(before, body), Arrays.copyOf(bytes, HASH_BYTES))) {
            throw new LedgerException(number, "its hash does not match what it says");
        }
        return decode(number, content);
    }

    static Decoded decode(long number, Bytes content) {
        var bytes = content.toByteArray();
        if (bytes.length < HASH_BYTES) {
            throw new LedgerException(number, "it is cut short");
        }
        var in = new DataInputStream(new ByteArrayInputStream(bytes, HASH_BYTES, bytes.length - HASH_BYTES));
        try {
            int format = in.readByte();
            if (format != FORMAT && format != FORMAT_OF_TEXTS) {
                throw new LedgerException(
                        number,
                        "it has format %d, and this program knows 1 to %d; read it with a newer one"
                                .formatted(format, FORMAT));
            }
            long own = in.readLong();
            if (own != number) {
                throw new LedgerException(number, "it is entry %d".formatted(own));
            }
            byte kind = format == FORMAT ? in.readByte() : DECISION;
            if (kind != DECISION && kind != CUT) {
                throw new IOException("an entry of kind %d".formatted(kind));
            }
            var entry = format == FORMAT ? readEntry(in) : readEntryOfTexts(in);
            if (in.available() != 0) {
                throw new LedgerException(number, "something follows it");
            }
            return new Decoded(format, kind == CUT, entry);
        } catch (IOException | IllegalArgumentException | DateTimeException damaged) {
            throw new LedgerException(number, "its bytes are damaged");
        }
    }

    private static Ledger.Entry readEntryOfTexts(DataInputStream in) throws IOException {
        return new Ledger.Entry(
                Instant.parse(readText(in)),
                readText(in),
                Fact.text(readText(in)),
                in.readInt(),
                in.readLong(),
                readHoldings(in, FORMAT_OF_TEXTS),
                readHoldings(in, FORMAT_OF_TEXTS),
                readList(in, () -> Fact.text(readText(in))));
    }

    private static Ledger.Entry readEntry(DataInputStream in) throws IOException {
        return new Ledger.Entry(
                Instant.parse(readText(in)),
                readText(in),
                readFact(in, DEPTH_MAX),
                in.readInt(),
                in.readLong(),
                readHoldings(in, FORMAT),
                readHoldings(in, FORMAT),
                readList(in, () -> readFact(in, DEPTH_MAX)));
    }

    /// The byte that stands for a family, in the families' order.
    static byte mark(Family family) {
        return switch (family) {
            case IPV4 -> 4;
            case IPV6 -> 6;
        };
    }

    static byte[] digest(byte[] before, byte[] body) {
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

    private interface Reading<T> {
        T next() throws IOException;
    }

    private static <T> List<T> readList(DataInputStream in, Reading<T> reading) throws IOException {
        int count = readLength(in);
        var list = new ArrayList<T>();
        for (int index = 0; index < count; index++) {
            list.add(reading.next());
        }
        return list;
    }

    /// How many bytes a fact takes.
    static int bytes(Fact fact) {
        try {
            var bytes = new ByteArrayOutputStream();
            writeFact(new DataOutputStream(bytes), fact);
            return bytes.size();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void writeFact(DataOutputStream out, Fact fact) throws IOException {
        switch (fact) {
            case Fact.Text(var text) -> {
                out.writeByte(TEXT);
                writeText(out, text);
            }
            case Fact.Several(var facts) -> {
                out.writeByte(SEVERAL);
                out.writeInt(facts.size());
                for (var one : facts) {
                    writeFact(out, one);
                }
            }
            case Fact.Ruled(var rule, var values) -> {
                out.writeByte(RULED);
                writeText(out, rule);
                out.writeInt(values.size());
                for (var value : values.entrySet()) {
                    writeText(out, value.getKey());
                    writeFact(out, value.getValue());
                }
            }
        }
    }

    private static Fact readFact(DataInputStream in, int depth) throws IOException {
        byte mark = in.readByte();
        if (depth == 0) {
            throw new IOException("facts in facts without end");
        }
        return switch (mark) {
            case TEXT -> Fact.text(readText(in));
            case SEVERAL -> new Fact.Several(readList(in, () -> readFact(in, depth - 1)));
            case RULED -> {
                var rule = readText(in);
                var values = new LinkedHashMap<String, Fact>();
                int count = readLength(in);
                for (int index = 0; index < count; index++) {
                    values.put(readText(in), readFact(in, depth - 1));
                }
                yield new Fact.Ruled(rule, values);
            }
            default -> throw new IOException("a fact of kind %d".formatted(mark));
        };
    }

    private static void writeHoldings(DataOutputStream out, List<Holding> holdings) throws IOException {
        out.writeInt(holdings.size());
        for (var holding : holdings) {
            writeAddress(out, holding.range().first());
            writeAddress(out, holding.range().last());
            writeText(out, holding.level().name());
            writeText(out, holding.holder());
            writeText(out, holding.state().name());
            var facts = holding.facts();
            writeText(out, facts.namespace());
            writeText(out, facts.pod());
            writeText(out, facts.uid());
            writeText(out, facts.node());
            writeText(out, facts.networkInterface());
            writeText(out, facts.handle());
        }
    }

    private static List<Holding> readHoldings(DataInputStream in, int format) throws IOException {
        return readList(
                in,
                () -> new Holding(
                        new Range(readAddress(in), readAddress(in)),
                        Holding.Level.valueOf(readText(in)),
                        readText(in),
                        Holding.State.valueOf(readText(in)),
                        format == FORMAT ? readFacts(in) : HolderFacts.NONE));
    }

    private static HolderFacts readFacts(DataInputStream in) throws IOException {
        return new HolderFacts(readText(in), readText(in), readText(in), readText(in), readText(in), readText(in));
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
