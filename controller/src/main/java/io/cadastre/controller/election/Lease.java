package io.cadastre.controller.election;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/// What a Lease of `coordination.k8s.io/v1` says about its holder.
///
/// @param holder empty if there is none
/// @param acquiredAt when the holder got it; the beginning of time if that is not said
/// @param renewedAt when the holder last renewed it; likewise
/// @param transitions how often it went from one holder to another
record Lease(String holder, Duration duration, Instant acquiredAt, Instant renewedAt, long transitions) {

    private static final String SPEC = "spec";
    private static final String HOLDER = "holderIdentity";
    private static final String DURATION = "leaseDurationSeconds";
    private static final String ACQUIRED = "acquireTime";
    private static final String RENEWED = "renewTime";
    private static final String TRANSITIONS = "leaseTransitions";

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /// Times are kept as precisely as they are written.
    Lease {
        acquiredAt = acquiredAt.truncatedTo(ChronoUnit.MICROS);
        renewedAt = renewedAt.truncatedTo(ChronoUnit.MICROS);
    }

    boolean held() {
        return !holder.isEmpty();
    }

    /// Reads a stored lease.
    ///
    /// @throws UnreadableDocumentException if it is not a lease
    static Lease read(String key, Bytes value) {
        var reader = new Fields(key);
        var spec = reader.object(Json.readObject(key, value), SPEC);
        return new Lease(
                reader.text(spec, HOLDER),
                Duration.ofSeconds(reader.count(spec, DURATION)),
                instant(reader, spec, ACQUIRED),
                instant(reader, spec, RENEWED),
                reader.count(spec, TRANSITIONS));
    }

    private static Instant instant(Fields reader, ObjectNode spec, String name) {
        var text = reader.text(spec, name);
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw reader.wrong(name, "a time");
        }
    }

    /// A new document for a lease that is not stored yet.
    Bytes create(String namespace, String name) {
        var json = Json.emptyObject();
        json.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        json.putObject("metadata").put("name", name).put("namespace", namespace);
        return writtenInto(json);
    }

    /// The stored document with this in it. Whatever else it says stays.
    Bytes update(String key, Bytes stored) {
        return writtenInto(Json.readObject(key, stored));
    }

    private Bytes writtenInto(ObjectNode json) {
        var spec = json.get(SPEC) instanceof ObjectNode object ? object : json.putObject(SPEC);
        spec.put(HOLDER, holder)
                .put(DURATION, duration.toSeconds())
                .put(ACQUIRED, MICRO_TIME.format(acquiredAt))
                .put(RENEWED, MICRO_TIME.format(renewedAt))
                .put(TRANSITIONS, transitions);
        return Json.write(json);
    }
}
