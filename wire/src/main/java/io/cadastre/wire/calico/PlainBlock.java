package io.cadastre.wire.calico;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads a block in one pass over its bytes, without a tree in between, as long as it is laid out just
/// as Calico writes it today.
///
/// Blocks are the largest documents and the ones read most, by the thousand where all are listed.
/// Whatever is out of the ordinary, a field nobody knows, an old quirk, a fault, is left to
/// [BlockDocument#read], which knows what to make of it.
final class PlainBlock {

    /// No element of the list may be null.
    private static final int NO_NULLS = Integer.MIN_VALUE;

    private final JsonParser parser;
    private final Block.Stored stored;
    private final String cidr;
    private boolean namesItself;
    private boolean hasAllocations;
    private boolean hasUnallocated;
    private boolean attributesNull = true;

    private PlainBlock(JsonParser parser, Prefix cidr) {
        this.parser = parser;
        this.stored = Block.stored(cidr);
        this.cidr = cidr.toString();
    }

    /// The document is not as Calico writes it.
    private static final class OddException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private OddException() {
            super("the block is not laid out as usual", null, false, false);
        }
    }

    /// The block, or nothing if it is to be read with more patience.
    static Optional<BlockDocument> read(Prefix cidr, Bytes value) {
        try (var parser = Json.parser(value)) {
            var plain = new PlainBlock(parser, cidr);
            plain.readFields();
            return Optional.of(BlockDocument.plain(plain.stored.build(), plain.attributesNull));
        } catch (OddException
                | JsonProcessingException
                | DateTimeException
                | IllegalArgumentException _) {
            return Optional.empty();
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    private void readFields() throws IOException {
        expect(JsonToken.START_OBJECT);
        // Ends: with the document, whose size is bounded.
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (name) {
                case BlockDocument.CIDR -> namesItself = text().equals(cidr);
                case BlockDocument.AFFINITY -> {
                    if (parser.nextToken() != JsonToken.VALUE_NULL) {
                        stored.owner(Owner.parse(currentText()));
                    }
                }
                case BlockDocument.CLAIMED -> stored.claimedAt(time());
                case BlockDocument.ALLOCATIONS -> {
                    hasAllocations = true;
                    stored.allocations(integers(Block.FREE));
                }
                case BlockDocument.UNALLOCATED -> {
                    hasUnallocated = true;
                    stored.unallocated(integers(NO_NULLS));
                }
                case BlockDocument.ATTRIBUTES -> {
                    if (parser.nextToken() != JsonToken.VALUE_NULL) {
                        attributesNull = false;
                        stored.attributes(attributes());
                    }
                }
                case BlockDocument.SEQUENCE -> {
                    parser.nextToken();
                    stored.sequence(number());
                }
                case BlockDocument.SEQUENCES -> stored.sequences(sequences());
                case BlockDocument.DELETED ->
                        stored.deleted(
                                switch (parser.nextToken()) {
                                    case VALUE_TRUE -> true;
                                    case VALUE_FALSE -> false;
                                    case null, default -> throw new OddException();
                                });
                default -> throw new OddException();
            }
        }
        boolean whole = namesItself && hasAllocations && hasUnallocated;
        if (!whole || parser.nextToken() != null) {
            throw new OddException();
        }
    }

    /// A list of whole numbers from 0 on.
    private int[] integers(int insteadOfNull) throws IOException {
        expect(JsonToken.START_ARRAY);
        var list = new int[64];
        int size = 0;
        // Ends: with the document, whose size is bounded.
        for (var token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (size == list.length) {
                list = Arrays.copyOf(list, 2 * size);
            }
            if (token == JsonToken.VALUE_NUMBER_INT) {
                list[size] = parser.getIntValue();
                if (list[size] < 0) {
                    throw new OddException();
                }
            } else if (token == JsonToken.VALUE_NULL && insteadOfNull != NO_NULLS) {
                list[size] = insteadOfNull;
            } else {
                throw new OddException();
            }
            size++;
        }
        return Arrays.copyOf(list, size);
    }

    private List<Attribute> attributes() throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw new OddException();
        }
        var attributes = new ArrayList<Attribute>();
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            attributes.add(attribute());
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw new OddException();
        }
        return attributes;
    }

    private Attribute attribute() throws IOException {
        var handle = "";
        SortedMap<String, String> owner = new TreeMap<>();
        SortedMap<String, String> alternate = new TreeMap<>();
        @Nullable Instant released = null;
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (name) {
                case BlockDocument.HANDLE -> handle = text();
                case BlockDocument.OWNER -> owner = texts();
                case BlockDocument.ALTERNATE -> alternate = texts();
                case BlockDocument.RELEASED -> released = time();
                default -> throw new OddException();
            }
        }
        return released == null ? new Held(handle, owner, alternate) : new Cooling(released);
    }

    private SortedMap<String, String> texts() throws IOException {
        expect(JsonToken.START_OBJECT);
        var texts = new TreeMap<String, String>();
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            texts.put(name, text());
        }
        return texts;
    }

    private SortedMap<Integer, Long> sequences() throws IOException {
        expect(JsonToken.START_OBJECT);
        var numbers = new TreeMap<Integer, Long>();
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            if (numbers.put(Integer.valueOf(name), number()) != null) {
                throw new OddException();
            }
        }
        return numbers;
    }

    /// A whole number from 0 on that fits into a `long`, as all do in our time.
    private long number() throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new OddException();
        }
        long number = parser.getLongValue();
        if (number < 0) {
            throw new OddException();
        }
        return number;
    }

    private Instant time() throws IOException {
        return WireTime.parse(text());
    }

    private String text() throws IOException {
        parser.nextToken();
        return currentText();
    }

    private String currentText() throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new OddException();
        }
        return Json.wellFormed(parser.getText());
    }

    private void expect(JsonToken token) throws IOException {
        if (parser.nextToken() != token) {
            throw new OddException();
        }
    }
}
