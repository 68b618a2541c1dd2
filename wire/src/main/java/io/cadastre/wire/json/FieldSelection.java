package io.cadastre.wire.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which fields of an object are wanted. Most of a Pod or a Node is not, and skipping a field costs a fraction
/// of keeping it in a tree.
///
/// @param inner the wanted fields, and what of each is wanted; if there are none, the whole
public record FieldSelection(Map<String, FieldSelection> inner) {

    /// All there is.
    public static final FieldSelection WHOLE = new FieldSelection(Collections.emptyMap());

    public FieldSelection {
        inner = Collections.unmodifiableMap(new LinkedHashMap<>(inner));
    }

    /// The fields at the ends of these paths, each as a whole. A path names a field and those that it is in, the
    /// outermost first.
    public static FieldSelection of(List<List<String>> paths) {
        var selection = WHOLE;
        for (var path : paths) {
            selection = selection.with(path);
        }
        return selection;
    }

    private FieldSelection with(List<String> path) {
        if (path.isEmpty()) {
            return WHOLE;
        }
        var name = path.getFirst();
        var more = new LinkedHashMap<>(inner);
        more.put(name, inner.getOrDefault(name, WHOLE).with(path.subList(1, path.size())));
        return new FieldSelection(more);
    }

    /// What is wanted of a field; empty if nothing.
    Optional<FieldSelection> of(String name) {
        return inner.isEmpty() ? Optional.of(WHOLE) : Optional.ofNullable(inner.get(name));
    }
}
