package io.cadastre.wire.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The fields that a struct of a Go program has in JSON, and those of the structs inside it.
///
/// Go's `encoding/json` takes a name for the field that is spelled exactly so, or else for one that
/// differs in letter case alone. Of several names for one field the last one counts, except that
/// objects are merged, and that null takes back nothing but a list, a map or a pointer. So a pool
/// with `blockSize: 26` and `blocksize: 28` behind it has blocks of /28, and a reader that knows only
/// exact names would find others where Calico finds these.
public final class GoStruct {

    /// What every object of the Kubernetes API has, beside a spec.
    public static final GoStruct KUBERNETES_OBJECT = of("kind", "apiVersion")
            .with(
                    "metadata",
                    of(
                            "name",
                            "generateName",
                            "namespace",
                            "selfLink",
                            "uid",
                            "resourceVersion",
                            "generation",
                            "creationTimestamp",
                            "deletionTimestamp*",
                            "deletionGracePeriodSeconds*",
                            "labels",
                            "annotations",
                            "ownerReferences",
                            "finalizers",
                            "managedFields"));

    /// How many single edits turn a name into the one that is suggested for it.
    private static final int EDITS_MAX = 2;

    /// A name that two edits could turn into anything is not suggested for.
    private static final int LETTERS_PER_EDIT = 3;

    private final Map<String, Field> fields;
    private final Map<String, Field> byFolded = new LinkedHashMap<>();

    private record Field(
            String name, boolean pointer, @Nullable GoStruct inner) {}

    private GoStruct(Map<String, Field> fields) {
        this.fields = fields;
        fields.values().forEach(field -> byFolded.putIfAbsent(folded(field.name()), field));
    }

    /// A struct with these fields, none of them a struct.
    ///
    /// @param names a star behind a name says that the field is a pointer
    public static GoStruct of(String... names) {
        var fields = new LinkedHashMap<String, Field>();
        for (var name : names) {
            var bare = name.replace("*", "");
            fields.put(bare, new Field(bare, !bare.equals(name), null));
        }
        return new GoStruct(fields);
    }

    /// This with one more field, which is a struct or a list of structs.
    public GoStruct with(String name, GoStruct inner) {
        var more = new LinkedHashMap<>(fields);
        var bare = name.replace("*", "");
        more.put(bare, new Field(bare, !bare.equals(name), inner));
        return new GoStruct(more);
    }

    /// This with one more field, which may have anything in it.
    public GoStruct with(String name) {
        var more = new LinkedHashMap<>(fields);
        more.putAll(of(name).fields);
        return new GoStruct(more);
    }

    /// The exact names of its fields.
    public List<String> names() {
        return List.copyOf(fields.keySet());
    }

    // ---- reading ----

    /// The object with every field under its exact name. Fields that the struct does not have stay.
    public ObjectNode read(ObjectNode json) {
        return isExact(json) ? json : renamed(Json.emptyObject(), json);
    }

    /// The object as it is read from a file, where Go's readers of YAML sort the names first.
    public ObjectNode readSorted(ObjectNode json) {
        return isExact(json) ? json : renamed(Json.emptyObject(), (ObjectNode) sorted(json));
    }

    private boolean isExact(ObjectNode json) {
        for (var given : json.properties()) {
            var field = fields.get(given.getKey());
            if (field == null && byFolded.containsKey(folded(given.getKey()))) {
                return false;
            }
            if (field != null && field.inner() != null && !isExact(field.inner(), given.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isExact(GoStruct inner, JsonNode value) {
        return switch (value) {
            case ObjectNode object -> inner.isExact(object);
            case ArrayNode array -> {
                boolean exact = true;
                for (var element : array) {
                    exact &= isExact(inner, element);
                }
                yield exact;
            }
            default -> true;
        };
    }

    private ObjectNode renamed(ObjectNode into, ObjectNode json) {
        for (var given : json.properties()) {
            var field = find(given.getKey());
            if (field.isEmpty()) {
                into.set(given.getKey(), given.getValue());
            } else {
                put(into, field.get(), given.getValue());
            }
        }
        return into;
    }

    private Optional<Field> find(String name) {
        var exact = fields.get(name);
        return Optional.ofNullable(exact == null ? byFolded.get(folded(name)) : exact);
    }

    private static void put(ObjectNode into, Field field, JsonNode value) {
        var former = into.get(field.name());
        if (value.isNull() && former != null && !clearedByNull(field, former)) {
            return;
        }
        into.set(field.name(), merged(field.inner(), former, value));
    }

    /// Lists and maps are cleared, and pointers; texts, numbers and structs keep what they have.
    private static boolean clearedByNull(Field field, JsonNode former) {
        return field.pointer() || former.isArray() || (former.isObject() && field.inner() == null);
    }

    private static JsonNode merged(@Nullable GoStruct inner, @Nullable JsonNode former, JsonNode value) {
        if (inner != null && value instanceof ArrayNode array) {
            var elements = array.arrayNode();
            array.forEach(element -> elements.add(merged(inner, null, element)));
            return elements;
        }
        if (!(value instanceof ObjectNode object)) {
            return value;
        }
        var into = former instanceof ObjectNode before ? before : Json.emptyObject();
        return inner == null ? into.<ObjectNode>setAll(object) : inner.renamed(into, object);
    }

    private static JsonNode sorted(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                var byBytes = new TreeMap<String, JsonNode>(Keys.ORDER);
                object.properties().forEach(field -> byBytes.put(field.getKey(), sorted(field.getValue())));
                yield Json.emptyObject().<ObjectNode>setAll(byBytes);
            }
            case ArrayNode array -> {
                var elements = array.arrayNode();
                array.forEach(element -> elements.add(sorted(element)));
                yield elements;
            }
            default -> value;
        };
    }

    /// Whether Go takes both for the name of one field: Latin letters in any case, and the two signs that
    /// Unicode takes for the letters K and S.
    public static boolean sameName(String one, String other) {
        boolean same = one.length() == other.length();
        for (int index = 0; same && index < one.length(); index++) {
            same = folded(one.charAt(index)) == folded(other.charAt(index));
        }
        return same;
    }

    /// A name as it is compared with others.
    private static String folded(String name) {
        var folded = new StringBuilder(name.length());
        name.chars().forEach(unit -> folded.append(folded((char) unit)));
        return folded.toString();
    }

    private static char folded(char unit) {
        return switch (unit) {
            case '\u017f' -> 'S';
            case '\u212a' -> 'K';
            default -> unit >= 'a' && unit <= 'z' ? (char) (unit - 'a' + 'A') : unit;
        };
    }

    // ---- names that it does not have ----

    /// Whether names match in any letter case or only as they are spelled, as with a Kubernetes API
    /// server.
    public enum Spelling {
        ANY_CASE,
        EXACT
    }

    /// A name that the struct does not have.
    ///
    /// @param path where it stands, with dots
    /// @param meant the path of a field that was perhaps meant; empty if there is none like it
    public record Unknown(String path, String meant) {

        /// Without what it stands in.
        public String name() {
            return path.substring(path.lastIndexOf('.') + 1);
        }

        /// What to try instead, to follow a complaint; empty if there is nothing like it.
        public String hint() {
            return meant.isEmpty() ? "" : "; did you mean %s?".formatted(meant);
        }
    }

    /// The names in the object that the struct does not have, in the order in which Go meets them in a
    /// file.
    public List<Unknown> unknown(ObjectNode json, Spelling spelling) {
        var unknown = new ArrayList<Unknown>();
        collect((ObjectNode) sorted(json), spelling, "", this, unknown);
        return unknown;
    }

    private void collect(ObjectNode json, Spelling spelling, String place, GoStruct whole, List<Unknown> into) {
        for (var given : json.properties()) {
            var name = given.getKey();
            var field = spelling == Spelling.EXACT ? Optional.ofNullable(fields.get(name)) : find(name);
            var inner = field.map(Field::inner).orElse(null);
            if (field.isEmpty()) {
                into.add(new Unknown(place + name, meant(name, place, whole)));
            } else if (inner != null) {
                inner.collect(given.getValue(), spelling, place + field.get().name(), whole, into);
            }
        }
    }

    private void collect(JsonNode value, Spelling spelling, String place, GoStruct whole, List<Unknown> into) {
        switch (value) {
            case ObjectNode object -> collect(object, spelling, place + ".", whole, into);
            case ArrayNode array -> {
                for (int index = 0; index < array.size(); index++) {
                    collect(array.get(index), spelling, "%s[%d]".formatted(place, index), whole, into);
                }
            }
            default -> {}
        }
    }

    /// The field here that looks most like the name, or the one of that name elsewhere.
    private String meant(String name, String place, GoStruct whole) {
        int editsMin = Math.min(EDITS_MAX, name.length() / LETTERS_PER_EDIT);
        var nearest = "";
        for (var field : fields.values()) {
            int edits = edits(letters(name), letters(field.name()));
            if (edits < editsMin || (edits == editsMin && nearest.isEmpty())) {
                editsMin = edits;
                nearest = place + field.name();
            }
        }
        return nearest.isEmpty() ? whole.place(folded(name), "") : nearest;
    }

    private String place(String folded, String place) {
        for (var field : fields.values()) {
            if (folded(field.name()).equals(folded)) {
                return place + field.name();
            }
        }
        for (var field : fields.values()) {
            var found = field.inner() == null ? "" : field.inner().place(folded, place + field.name() + ".");
            if (!found.isEmpty()) {
                return found;
            }
        }
        return "";
    }

    /// A name for comparison with others: `nat-outgoing` is like `natOutgoing`.
    private static String letters(String name) {
        return folded(name).replaceAll("[-_ ]", "");
    }

    /// How many letters must be inserted, dropped or replaced.
    private static int edits(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= one.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (one.charAt(line - 1) == other.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, Math.min(row[column], row[column - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
