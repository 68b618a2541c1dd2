package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

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

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A block as JSON.
///
/// Sequence numbers have 64 bits, more than a double holds, so they go from text to `long` and back.
/// A block that never had attributes says `null` for them, one that was emptied an empty list. Fields
/// that old releases wrote and nobody needs are dropped when the block is written again.
public final class BlockDocument implements CalicoDocument {

    private static final String CIDR = "cidr";
    private static final String AFFINITY = "affinity";
    private static final String CLAIMED = "affinity_claim_time";
    private static final String ALLOCATIONS = "allocations";
    private static final String UNALLOCATED = "unallocated";
    private static final String ATTRIBUTES = "attributes";
    private static final String SEQUENCE = "sequenceNumber";
    private static final String SEQUENCES = "sequenceNumberForAllocation";
    private static final String DELETED = "deleted";

    private static final String HANDLE = "handle_id";
    private static final String OWNER = "secondary";
    private static final String ALTERNATE = "alternateOwnerAttrs";
    private static final String RELEASED = "releasedAt";

    private static final List<String> FIELDS =
            List.of(
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

    private static final List<String> ATTRIBUTE_FIELDS =
            List.of(HANDLE, OWNER, ALTERNATE, RELEASED);

    private final Block block;
    private final Blank blank;
    private final ForeignFields foreign;

    /// The fields of each attribute that nobody understands; empty if no attribute has any.
    private final List<ForeignFields> foreignByAttribute;

    /// How no attributes are written.
    private enum Blank {
        NULL,
        LIST
    }

    private BlockDocument(
            Block block,
            Blank blank,
            ForeignFields foreign,
            List<ForeignFields> foreignByAttribute) {
        this.block = block;
        this.blank = blank;
        this.foreign = foreign;
        this.foreignByAttribute = List.copyOf(foreignByAttribute);
    }

    static BlockDocument create(Block block) {
        return new BlockDocument(block, Blank.NULL, ForeignFields.NONE, List.of());
    }

    public Block block() {
        return block;
    }

    /// This with another state of the block.
    BlockDocument with(Block changed) {
        return new BlockDocument(
                changed,
                block.attributes().isEmpty() ? blank : Blank.LIST,
                foreign,
                foreignOf(changed.attributes()));
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
        WireTime.read(reader, json, CLAIMED).ifPresent(stored::claimedAt);
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
            allocations[ordinal] =
                    element.isNull() ? Block.FREE : reader.integer(element, ALLOCATIONS);
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
        var released = WireTime.read(reader, object, RELEASED);
        return released.isPresent()
                ? new Cooling(released.get())
                : new Held(
                        reader.text(object, HANDLE),
                        reader.textMap(object, OWNER),
                        reader.textMap(object, ALTERNATE));
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
        var json = Json.emptyObject();
        json.put(CIDR, block.cidr().toString());
        block.owner()
                .ifPresentOrElse(
                        owner -> json.put(AFFINITY, owner.toString()),
                        () -> json.putNull(AFFINITY));
        block.claimedAt().ifPresent(time -> json.put(CLAIMED, WireTime.text(time)));
        var allocations = json.putArray(ALLOCATIONS);
        for (int index : block.allocations()) {
            if (index == Block.FREE) {
                allocations.addNull();
            } else {
                allocations.add(index);
            }
        }
        var unallocated = json.putArray(UNALLOCATED);
        for (int ordinal : block.unallocated()) {
            unallocated.add(ordinal);
        }
        putAttributes(json);
        json.putRawValue(SEQUENCE, number(block.sequence()));
        putSequences(json.putObject(SEQUENCES));
        json.put(DELETED, block.deleted());
        foreign.addTo(json);
        return Json.write(json);
    }

    private void putAttributes(ObjectNode json) {
        if (block.attributes().isEmpty() && blank == Blank.NULL) {
            json.putNull(ATTRIBUTES);
            return;
        }
        var list = json.putArray(ATTRIBUTES);
        for (int index = 0; index < block.attributes().size(); index++) {
            var object = list.addObject();
            switch (block.attributes().get(index)) {
                case Held(var handle, var owner, var alternate) -> {
                    if (!handle.isEmpty()) {
                        object.put(HANDLE, handle);
                    }
                    putMap(object, OWNER, owner);
                    putMap(object, ALTERNATE, alternate);
                }
                case Cooling(var releasedAt) -> object.put(RELEASED, WireTime.text(releasedAt));
            }
            if (!foreignByAttribute.isEmpty()) {
                foreignByAttribute.get(index).addTo(object);
            }
        }
    }

    private static void putMap(ObjectNode parent, String name, SortedMap<String, String> map) {
        if (!map.isEmpty()) {
            var byBytes = new TreeMap<String, String>(Keys.ORDER);
            byBytes.putAll(map);
            byBytes.forEach(parent.putObject(name)::put);
        }
    }

    /// Ordinals sort as text here: `10` comes before `2`.
    private void putSequences(ObjectNode object) {
        var byText = new TreeMap<String, Long>();
        block.sequences().forEach((ordinal, number) -> byText.put(ordinal.toString(), number));
        byText.forEach((ordinal, number) -> object.putRawValue(ordinal, number(number)));
    }

    private static RawValue number(long unsigned) {
        return new RawValue(Long.toUnsignedString(unsigned));
    }
}
