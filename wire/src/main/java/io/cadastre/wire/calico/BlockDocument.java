package io.cadastre.wire.calico;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A block as JSON.
///
/// Sequence numbers have 64 bits, more than a double holds, so they go from text to `long` and back. A
/// block that never had attributes has `null` for them, one that was emptied an empty list. Fields that old
/// releases wrote and no reader needs are dropped when the block is written again.
public final class BlockDocument implements CalicoDocument {

    static final String CIDR = "cidr";
    static final String AFFINITY = "affinity";
    static final String CLAIMED = "affinity_claim_time";
    static final String ALLOCATIONS = "allocations";
    static final String UNALLOCATED = "unallocated";
    static final String ATTRIBUTES = "attributes";
    static final String SEQUENCE = "sequenceNumber";
    static final String SEQUENCES = "sequenceNumberForAllocation";
    static final String DELETED = "deleted";

    static final String HANDLE = "handle_id";
    static final String OWNER = "secondary";
    static final String ALTERNATE = "alternateOwnerAttrs";
    static final String RELEASED = "releasedAt";

    private static final List<String> FIELDS = List.of(
            CIDR,
            AFFINITY,
            CLAIMED,
            ALLOCATIONS,
            UNALLOCATED,
            ATTRIBUTES,
            SEQUENCE,
            SEQUENCES,
            DELETED,
            // Of old releases.
            "strictAffinity",
            "hostAffinity",
            "Deleted");

    private static final List<String> ATTRIBUTE_FIELDS = List.of(HANDLE, OWNER, ALTERNATE, RELEASED);

    /// What most blocks come to, so that little is copied while one is written.
    private static final int BYTES_EXPECTED = 256;

    private static final int ORDINAL_BYTES_EXPECTED = 32;
    private static final int ATTRIBUTE_BYTES_EXPECTED = 192;

    /// More than there are in any block.
    private static final int ORDINAL_BITS = 29;

    /// The least number that is as long as any ordinal.
    private static final long LENGTHENED_MIN = 1_000_000_000;

    private final Block block;
    private final Blank blank;
    private final ForeignFields foreign;

    /// The fields of each attribute that are not understood here; empty if no attribute has any.
    private final List<ForeignFields> foreignByAttribute;

    /// How no attributes are written.
    private enum Blank {
        NULL,
        LIST
    }

    private BlockDocument(Block block, Blank blank, ForeignFields foreign, List<ForeignFields> foreignByAttribute) {
        this.block = block;
        this.blank = blank;
        this.foreign = foreign;
        this.foreignByAttribute = List.copyOf(foreignByAttribute);
    }

    static BlockDocument create(Block block) {
        return plain(block, true);
    }

    /// One that holds nothing but the block.
    ///
    /// @param attributesNull whether having none is written as `null`
    static BlockDocument plain(Block block, boolean attributesNull) {
        return new BlockDocument(block, attributesNull ? Blank.NULL : Blank.LIST, ForeignFields.NONE, List.of());
    }

    public Block block() {
        return block;
    }

    /// This with another state of the block.
    BlockDocument with(Block changed) {
        return new BlockDocument(
                changed, block.attributes().isEmpty() ? blank : Blank.LIST, foreign, foreignOf(changed.attributes()));
    }

    /// Attributes are renumbered when others vanish, so they are recognised by what they say.
    private List<ForeignFields> foreignOf(List<Attribute> attributes) {
        if (foreignByAttribute.isEmpty()) {
            return List.of();
        }
        var left = new ArrayList<>(foreignByAttribute);
        var carried = new ArrayList<ForeignFields>();
        for (var attribute : attributes) {
            var found = ForeignFields.NONE;
            for (int index = 0; index < left.size() && found.isEmpty(); index++) {
                if (block.attributes().get(index).equals(attribute)) {
                    found = left.set(index, ForeignFields.NONE);
                }
            }
            carried.add(found);
        }
        return carried;
    }

    // ---- reading ----

    static BlockDocument read(Fields reader, Prefix cidr, ObjectNode json) {
        var said = Prefix.parse(reader.text(json, CIDR));
        if (!said.equals(cidr)) {
            throw new IllegalArgumentException("it is of block " + said);
        }
        var stored = Block.stored(cidr);
        if (!Fields.absent(json.path(AFFINITY))) {
            stored.owner(Owner.parse(reader.text(json, AFFINITY)));
        }
        reader.findTime(json, CLAIMED).ifPresent(stored::claimedAt);
        stored.allocations(allocations(reader, reader.array(json, ALLOCATIONS)));
        stored.unallocated(integers(reader, reader.array(json, UNALLOCATED)));
        var attributes = new ArrayList<Attribute>();
        var foreign = new ArrayList<ForeignFields>();
        for (var element : reader.array(json, ATTRIBUTES)) {
            var object = attributeObject(reader, element);
            attributes.add(attribute(reader, object));
            foreign.add(ForeignFields.of(object, ATTRIBUTE_FIELDS));
        }
        stored.attributes(attributes);
        stored.sequence(reader.unsigned(json.path(SEQUENCE), SEQUENCE));
        stored.sequences(sequences(reader, reader.object(json, SEQUENCES)));
        stored.deleted(reader.flag(json, DELETED));
        return new BlockDocument(
                stored.build(),
                Fields.absent(json.path(ATTRIBUTES)) ? Blank.NULL : Blank.LIST,
                ForeignFields.of(json, FIELDS),
                foreign.stream().allMatch(ForeignFields::isEmpty) ? List.of() : foreign);
    }

    private static int[] allocations(Fields reader, ArrayNode array) {
        int[] allocations = new int[array.size()];
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            var element = array.get(ordinal);
            allocations[ordinal] = element.isNull() ? Block.FREE : reader.integer(element, ALLOCATIONS);
            if (!element.isNull() && allocations[ordinal] < 0) {
                throw reader.wrong(ALLOCATIONS, "a list of indexes from 0 on");
            }
        }
        return allocations;
    }

    private static int[] integers(Fields reader, ArrayNode array) {
        int[] integers = new int[array.size()];
        for (int index = 0; index < integers.length; index++) {
            integers[index] = reader.integer(array.get(index), UNALLOCATED);
        }
        return integers;
    }

    private static ObjectNode attributeObject(Fields reader, JsonNode element) {
        return switch (element) {
            case ObjectNode object -> object;
            case JsonNode missing when missing.isNull() -> Json.emptyObject();
            case JsonNode _ -> throw reader.wrong(ATTRIBUTES, "a list of objects");
        };
    }

    private static Attribute attribute(Fields reader, ObjectNode object) {
        var released = reader.findTime(object, RELEASED);
        return released.isPresent()
                ? new Cooling(released.get())
                : new Held(
                        reader.text(object, HANDLE), reader.textMap(object, OWNER), reader.textMap(object, ALTERNATE));
    }

    private static SortedMap<Integer, Long> sequences(Fields reader, ObjectNode object) {
        var numbers = new TreeMap<Integer, Long>();
        for (var field : object.properties()) {
            var ordinal = Integer.valueOf(field.getKey());
            if (numbers.put(ordinal, reader.unsigned(field.getValue(), SEQUENCES)) != null) {
                throw new IllegalArgumentException("ordinal %d has two numbers".formatted(ordinal));
            }
        }
        return numbers;
    }

    // ---- writing ----

    @Override
    public Bytes encode() {
        return Json.write(
                BYTES_EXPECTED
                        + block.size() * ORDINAL_BYTES_EXPECTED
                        + block.attributes().size() * ATTRIBUTE_BYTES_EXPECTED,
                this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(CIDR, block.cidr().toString());
        if (block.owner().isPresent()) {
            json.writeStringField(AFFINITY, block.owner().get().toString());
        } else {
            json.writeNullField(AFFINITY);
        }
        if (block.claimedAt().isPresent()) {
            json.writeStringField(CLAIMED, WireTime.text(block.claimedAt().get()));
        }
        json.writeArrayFieldStart(ALLOCATIONS);
        for (int index : block.allocations()) {
            if (index == Block.FREE) {
                json.writeNull();
            } else {
                json.writeNumber(index);
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart(UNALLOCATED);
        for (int ordinal : block.unallocated()) {
            json.writeNumber(ordinal);
        }
        json.writeEndArray();
        writeAttributes(json);
        writeUnsigned(json, SEQUENCE, block.sequence());
        // Ordinals sort as text here: `10` comes before `2`.
        json.writeObjectFieldStart(SEQUENCES);
        for (int ordinal : byText(block.sequencedOrdinals())) {
            writeUnsigned(json, Integer.toString(ordinal), block.sequenceOf(ordinal));
        }
        json.writeEndObject();
        json.writeBooleanField(DELETED, block.deleted());
        foreign.writeTo(json);
        json.writeEndObject();
    }

    private static void writeUnsigned(JsonGenerator json, String name, long unsigned) throws IOException {
        json.writeFieldName(name);
        if (unsigned >= 0) {
            json.writeNumber(unsigned);
        } else {
            json.writeNumber(Long.toUnsignedString(unsigned));
        }
    }

    private void writeAttributes(JsonGenerator json) throws IOException {
        if (block.attributes().isEmpty() && blank == Blank.NULL) {
            json.writeNullField(ATTRIBUTES);
            return;
        }
        json.writeArrayFieldStart(ATTRIBUTES);
        for (int index = 0; index < block.attributes().size(); index++) {
            json.writeStartObject();
            switch (block.attributes().get(index)) {
                case Held(var handle, var owner, var alternate) -> {
                    if (!handle.isEmpty()) {
                        json.writeStringField(HANDLE, Json.wellFormed(handle));
                    }
                    writeMap(json, OWNER, owner);
                    writeMap(json, ALTERNATE, alternate);
                }
                case Cooling(var releasedAt) -> json.writeStringField(RELEASED, WireTime.text(releasedAt));
            }
            if (!foreignByAttribute.isEmpty()) {
                foreignByAttribute.get(index).writeTo(json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeMap(JsonGenerator json, String name, SortedMap<String, String> map) throws IOException {
        if (map.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(name);
        for (var entry : byBytes(map).entrySet()) {
            json.writeStringField(Json.wellFormed(entry.getKey()), Json.wellFormed(entry.getValue()));
        }
        json.writeEndObject();
    }

    /// The map in the order of its keys' bytes, which nearly every map has anyway.
    private static SortedMap<String, String> byBytes(SortedMap<String, String> map) {
        var last = "";
        for (var key : map.keySet()) {
            if (Keys.ORDER.compare(last, key) > 0) {
                var sorted = new TreeMap<String, String>(Keys.ORDER);
                sorted.putAll(map);
                return sorted;
            }
            last = key;
        }
        return map;
    }

    /// They sort as text does if each is made as long as the longest can be; of those that are the same
    /// then, such as 1 and 10, the smaller one comes first.
    private static int[] byText(int[] ordinals) {
        return Arrays.stream(ordinals)
                .mapToLong(ordinal -> lengthened(ordinal) << ORDINAL_BITS | ordinal)
                .sorted()
                .mapToInt(key -> (int) key & ((1 << ORDINAL_BITS) - 1))
                .toArray();
    }

    private static long lengthened(int ordinal) {
        long number = ordinal;
        while (number != 0 && number < LENGTHENED_MIN) {
            number *= 10;
        }
        return number;
    }
}
