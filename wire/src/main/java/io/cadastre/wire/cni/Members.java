package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The members of one JSON object, read as Go reads them into a structure: names match in any letter
/// case, the last one written counts, and what is missing or null has the empty value of its type. A
/// member of another type is an error.
///
/// It never changes, and gives its tree away only as a copy.
public final class Members {

    private static final long UNSIGNED_32_MAX = 0xffff_ffffL;

    private final String path;
    private final ObjectNode tree;

    private Members(String path, ObjectNode tree) {
        this.path = path;
        this.tree = tree;
    }

    public static Members of(ObjectNode tree) {
        return new Members("", tree.deepCopy());
    }

    /// Reads a document that is one JSON object; `null` counts as an empty one.
    ///
    /// @throws CniException with code 6 if it is not
    public static Members parse(Bytes document) {
        return switch (CniJson.read(document)) {
            case ObjectNode tree -> new Members("", tree);
            case NullNode _ -> new Members("", Json.emptyObject());
            case JsonNode other ->
                throw new CniException(
                        CniCode.DECODING_FAILURE,
                        "json: cannot unmarshal %s into Go value of type object".formatted(CniJson.kind(other)));
        };
    }

    /// The member of this name in any letter case, which may be null. Of several the last one counts.
    private Optional<JsonNode> findWritten(String name) {
        Optional<JsonNode> found = Optional.empty();
        for (var member : tree.properties()) {
            if (GoStruct.sameName(member.getKey(), name)) {
                found = Optional.of(member.getValue());
            }
        }
        return found;
    }

    /// Whether the name is there at all, be it with the value null.
    public boolean mentions(String name) {
        return findWritten(name).isPresent();
    }

    /// A copy of the value of this name, if it is there and not null.
    public Optional<JsonNode> find(String name) {
        return value(name).map(JsonNode::deepCopy);
    }

    private Optional<JsonNode> value(String name) {
        return findWritten(name).filter(value -> !value.isNull());
    }

    /// Text, or the empty text if there is none.
    public String text(String name) {
        return value(name).map(value -> text(value, name)).orElse("");
    }

    private String text(JsonNode value, String name) {
        if (!value.isTextual()) {
            throw wrong(value, name, "string");
        }
        return value.textValue();
    }

    public boolean flag(String name) {
        return value(name).map(value -> flag(value, name)).orElse(false);
    }

    private boolean flag(JsonNode value, String name) {
        if (!value.isBoolean()) {
            throw wrong(value, name, "bool");
        }
        return value.booleanValue();
    }

    public OptionalInt integer(String name) {
        var value = value(name);
        return value.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) whole(value.get(), name, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    /// A number that the kernel keeps in 32 bits without a sign.
    OptionalLong unsigned32(String name) {
        var value = value(name);
        return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(whole(value.get(), name, 0, UNSIGNED_32_MAX));
    }

    /// A whole number from zero on, or zero if there is none.
    long count(String name) {
        return value(name).map(value -> whole(value, name, 0, Long.MAX_VALUE)).orElse(0L);
    }

    private long whole(JsonNode value, String name, long min, long max) {
        if (CniJson.kind(value).equals("number")) {
            try {
                long number = Long.parseLong(value.toString());
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // Reported below, as for a number out of bounds.
            }
            throw new CniException(
                    CniCode.DECODING_FAILURE,
                    "json: cannot unmarshal number %s into Go struct field %s.%s of type int"
                            .formatted(value, path, name));
        }
        throw wrong(value, name, "int");
    }

    public List<String> texts(String name) {
        var texts = new ArrayList<String>();
        for (var element : array(name)) {
            // As Go has it, null is the empty text.
            texts.add(element.isNull() ? "" : text(element, name));
        }
        return List.copyOf(texts);
    }

    public Optional<Members> object(String name) {
        return value(name).map(value -> object(value, name));
    }

    /// The objects in a list.
    public List<Members> objects(String name) {
        var objects = new ArrayList<Members>();
        for (var element : array(name)) {
            objects.add(object(element, name));
        }
        return List.copyOf(objects);
    }

    /// The objects in the lists in a list.
    List<List<Members>> objectLists(String name) {
        var lists = new ArrayList<List<Members>>();
        for (var inner : array(name)) {
            if (!(inner instanceof ArrayNode) && !inner.isNull()) {
                throw wrong(inner, name, "list");
            }
            var objects = new ArrayList<Members>();
            for (var element : inner) {
                objects.add(object(element, name));
            }
            lists.add(List.copyOf(objects));
        }
        return List.copyOf(lists);
    }

    private ArrayNode array(String name) {
        return switch (value(name).orElseGet(() -> tree.arrayNode())) {
            case ArrayNode array -> array;
            case JsonNode other -> throw wrong(other, name, "list");
        };
    }

    private Members object(JsonNode value, String name) {
        var inner = path + "." + name;
        return switch (value) {
            case ObjectNode object -> new Members(inner, object);
            case NullNode _ -> new Members(inner, Json.emptyObject());
            default -> throw wrong(value, name, "object");
        };
    }

    private CniException wrong(JsonNode value, String name, String wanted) {
        return new CniException(
                CniCode.DECODING_FAILURE,
                "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
                        .formatted(CniJson.kind(value), path, name, wanted));
    }

    /// These members with one of this very name set to a value. Others of that name in another letter
    /// case are dropped, since they could hide it.
    public Members with(String name, JsonNode value) {
        var changed = without(name).tree;
        changed.set(name, value.deepCopy());
        return new Members(path, changed);
    }

    /// These members without those of this name, in any letter case.
    public Members without(String name) {
        var changed = tree.deepCopy();
        for (var member : tree.properties()) {
            if (GoStruct.sameName(member.getKey(), name)) {
                changed.remove(member.getKey());
            }
        }
        return new Members(path, changed);
    }

    /// A copy of the object.
    public ObjectNode tree() {
        return tree.deepCopy();
    }

    /// The object on one line.
    public Bytes encode() {
        return Bytes.ofUtf8(CniJson.compact(tree));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Members that && tree.equals(that.tree);
    }

    @Override
    public int hashCode() {
        return tree.hashCode();
    }

    @Override
    public String toString() {
        return CniJson.compact(tree);
    }
}
