package io.cadastre.cli.session;

import io.cadastre.cli.command.UsageException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/// The limits of a file, checked before it is parsed: YAML readers recurse as deep as the text nests, and aliases
/// of aliases make a small text large.
final class ManifestBounds {

    /// The nesting depth of any stored document.
    static final int DEPTH_MAX = 64;

    /// Values, each counted as often as an alias repeats it.
    static final long VALUES_MAX = 2_000_000;

    private final String file;
    private final Map<Anchor, Long> sizes = new HashMap<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private long values;

    /// A collection that has begun, and how many values came before it.
    private record Open(Optional<Anchor> anchor, long before) {}

    ManifestBounds(String file) {
        this.file = file;
    }

    /// @throws UsageException if the file exceeds a limit
    void check(Iterable<Event> events) {
        for (var event : events) {
            switch (event) {
                case CollectionStartEvent start -> begin(start);
                case CollectionEndEvent _ -> end();
                case AliasEvent alias -> repeat(alias.getAlias());
                case ScalarEvent scalar -> {
                    count(1);
                    scalar.getAnchor().ifPresent(anchor -> sizes.put(anchor, 1L));
                }
                default -> {}
            }
        }
    }

    private void begin(CollectionStartEvent start) {
        if (open.size() == DEPTH_MAX) {
            throw new UsageException(
                    "%s nests deeper than %d levels; no kind of document needs more".formatted(file, DEPTH_MAX));
        }
        open.push(new Open(((NodeEvent) start).getAnchor(), values));
        count(1);
    }

    private void end() {
        var ended = open.pop();
        ended.anchor().ifPresent(anchor -> sizes.put(anchor, values - ended.before()));
    }

    private void repeat(Anchor anchor) {
        if (open.stream().anyMatch(one -> one.anchor().filter(anchor::equals).isPresent())) {
            throw new UsageException(
                    "%s has alias *%s inside its own value; write the value out".formatted(file, anchor.getValue()));
        }
        count(sizes.getOrDefault(anchor, 1L));
    }

    private void count(long more) {
        values += more;
        if (values > VALUES_MAX) {
            throw new UsageException("%s has more than %d values, including those repeated by aliases; split it"
                    .formatted(file, VALUES_MAX));
        }
    }
}
