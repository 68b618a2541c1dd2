package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.StoredBlock;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads a block in one pass over its bytes, without a tree in between, as long as it is laid out just
/// as Calico writes it today: every field in its place, no blanks, no escapes, no letters beyond ASCII.
///
/// Blocks are the largest documents and the ones read most, by the thousand where all are listed. Whatever
/// is out of the ordinary (an unknown field, an old quirk, a fault) is left to [BlockDocument#read], which
/// handles it.
final class PlainBlock {

    /// No element of the list may be null.
    private static final int NO_NULLS = Integer.MIN_VALUE;

    /// Longer numbers do not fit, or may not.
    private static final int INTEGER_DIGITS_MAX = 9;

    private static final int LONG_DIGITS_MAX = 19;

    /// The bound of the general reader is higher.
    private static final int NAME_BYTES_MAX = 1024;

    /// How many names are cached, since every attribute has the same.
    private static final int NAMES_MAX = 16;

    private final byte[] bytes;
    private final List<String> names = new ArrayList<>();

    /// The place of the next byte.
    private int next;

    private PlainBlock(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The document is not as Calico writes it.
    private static final class OddException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private OddException() {
            super("the block is not laid out as usual", null, false, false);
        }
    }

    /// The block, or nothing if [BlockDocument#read] has to read it.
    static Optional<BlockDocument> read(Prefix cidr, Bytes value) {
        if (value.size() > Datastore.VALUE_BYTES_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PlainBlock(value.toByteArray()).block(cidr));
        } catch (OddException | DateTimeException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private BlockDocument block(Prefix cidr) {
        var stored = Block.stored(cidr);
        expect('{');
        expectField(BlockDocument.CIDR);
        check(text().equals(cidr.toString()));
        expect(',');
        expectField(BlockDocument.AFFINITY);
        if (!pass("null")) {
            stored.owner(Owner.parse(text()));
        }
        expect(',');
        if (passField(BlockDocument.CLAIMED)) {
            stored.claimedAt(WireTime.parse(text()));
            expect(',');
        }
        expectField(BlockDocument.ALLOCATIONS);
        stored.allocations(integers(Block.FREE));
        expect(',');
        expectField(BlockDocument.UNALLOCATED);
        stored.unallocated(integers(NO_NULLS));
        expect(',');
        expectField(BlockDocument.ATTRIBUTES);
        boolean attributesNull = pass("null");
        if (!attributesNull) {
            stored.attributes(attributes());
        }
        expect(',');
        expectField(BlockDocument.SEQUENCE);
        stored.sequence(number(LONG_DIGITS_MAX));
        expect(',');
        expectField(BlockDocument.SEQUENCES);
        readSequences(stored);
        expect(',');
        expectField(BlockDocument.DELETED);
        stored.deleted(flag());
        expect('}');
        check(next == bytes.length);
        return BlockDocument.plain(stored.build(), attributesNull);
    }

    /// A list of whole numbers from 0 on.
    private int[] integers(int insteadOfNull) {
        var list = new int[64];
        int size = 0;
        expect('[');
        if (pass(']')) {
            return new int[0];
        }
        // Ends: each round passes over a byte at least.
        do {
            if (size == list.length) {
                list = Arrays.copyOf(list, 2 * size);
            }
            boolean isNull = insteadOfNull != NO_NULLS && pass("null");
            list[size++] = isNull ? insteadOfNull : (int) number(INTEGER_DIGITS_MAX);
        } while (pass(','));
        expect(']');
        return Arrays.copyOf(list, size);
    }

    private List<Attribute> attributes() {
        var attributes = new ArrayList<Attribute>();
        expect('[');
        if (pass(']')) {
            return attributes;
        }
        // Ends: each round passes over a byte at least.
        do {
            attributes.add(attribute());
        } while (pass(','));
        expect(']');
        return attributes;
    }

    private Attribute attribute() {
        expect('{');
        if (pass('}')) {
            return new Held("", Collections.emptySortedMap(), Collections.emptySortedMap());
        }
        if (passField(BlockDocument.RELEASED)) {
            var cooling = new Cooling(WireTime.parse(text()));
            expect('}');
            return cooling;
        }
        var handle = "";
        SortedMap<String, String> owner = Collections.emptySortedMap();
        SortedMap<String, String> alternate = Collections.emptySortedMap();
        boolean more = true;
        if (passField(BlockDocument.HANDLE)) {
            handle = text();
            more = pass(',');
        }
        if (more && passField(BlockDocument.OWNER)) {
            owner = texts();
            more = pass(',');
        }
        if (more && passField(BlockDocument.ALTERNATE)) {
            alternate = texts();
            more = false;
        }
        check(!more);
        expect('}');
        return new Held(handle, owner, alternate);
    }

    private SortedMap<String, String> texts() {
        var texts = new TreeMap<String, String>();
        expect('{');
        if (pass('}')) {
            return texts;
        }
        // Ends: each round passes over a byte at least.
        do {
            var name = name();
            expect(':');
            check(texts.put(name, text()) == null);
        } while (pass(','));
        expect('}');
        return texts;
    }

    private void readSequences(StoredBlock stored) {
        expect('{');
        if (pass('}')) {
            return;
        }
        // Ends: each round passes over a byte at least.
        do {
            expect('"');
            int ordinal = (int) number(INTEGER_DIGITS_MAX);
            expect('"');
            expect(':');
            stored.sequenceOf(ordinal, number(LONG_DIGITS_MAX));
        } while (pass(','));
        expect('}');
    }

    private boolean flag() {
        if (pass("true")) {
            return true;
        }
        check(pass("false"));
        return false;
    }

    /// A whole number from 0 on that fits into a `long`, as all do in our time.
    private long number(int digitsMax) {
        int start = next;
        long number = 0;
        // Ends: each round passes over a byte.
        while (next < bytes.length && bytes[next] >= '0' && bytes[next] <= '9') {
            number = 10 * number + bytes[next++] - '0';
        }
        int digits = next - start;
        // With so few digits whatever does not fit is negative.
        check(digits > 0 && digits <= digitsMax && number >= 0);
        check(digits == 1 || bytes[start] != '0');
        return number;
    }

    private String text() {
        int start = startOfText();
        int end = next - 1;
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /// A text that was often read before in the same block.
    private String name() {
        int start = startOfText();
        int length = next - 1 - start;
        check(length <= NAME_BYTES_MAX);
        for (var name : names) {
            if (name.length() == length && standsAt(name, start)) {
                return name;
            }
        }
        var name = new String(bytes, start, length, StandardCharsets.ISO_8859_1);
        if (names.size() < NAMES_MAX) {
            names.add(name);
        }
        return name;
    }

    /// Where the text begins that is passed over with its quotes.
    private int startOfText() {
        expect('"');
        int start = next;
        // Ends: each round passes over a byte.
        while (next < bytes.length && bytes[next] != '"') {
            // Bytes beyond ASCII are negative.
            check(bytes[next] >= ' ' && bytes[next] != '\\');
            next++;
        }
        expect('"');
        return start;
    }

    private void expectField(String name) {
        check(passField(name));
    }

    private boolean passField(String name) {
        int end = next + 1 + name.length();
        boolean met = end + 1 < bytes.length
                && bytes[next] == '"'
                && standsAt(name, next + 1)
                && bytes[end] == '"'
                && bytes[end + 1] == ':';
        next = met ? end + 2 : next;
        return met;
    }

    private boolean pass(String word) {
        boolean met = standsAt(word, next);
        next += met ? word.length() : 0;
        return met;
    }

    private boolean standsAt(String word, int place) {
        if (bytes.length - place < word.length()) {
            return false;
        }
        for (int index = 0; index < word.length(); index++) {
            if (bytes[place + index] != word.charAt(index)) {
                return false;
            }
        }
        return true;
    }

    private boolean pass(char one) {
        boolean met = next < bytes.length && bytes[next] == one;
        next += met ? 1 : 0;
        return met;
    }

    private void expect(char one) {
        check(pass(one));
    }

    private static void check(boolean usual) {
        if (!usual) {
            throw new OddException();
        }
    }
}
