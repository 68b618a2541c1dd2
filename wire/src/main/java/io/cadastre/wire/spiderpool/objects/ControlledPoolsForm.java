package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.subnet.PreAllocation;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which pool has which addresses of a subnet: a JSON object, as text in a field of another.
///
/// ```json
/// {"manual-a":{"ips":["10.6.168.108-10.6.168.110"]}}
/// ```
///
/// The pools are in the order of their names. Without pools there is no text.
///
/// @param json as it was read, with fields that are unknown here
record ControlledPoolsForm(ObjectNode json, SortedMap<String, PreAllocation> entries) {

    /// Reads the text.
    ///
    /// @throws UnreadableDocumentException if it says something else
    static ControlledPoolsForm read(String key, String text, Family family) {
        var entries = new TreeMap<String, PreAllocation>();
        if (text.isEmpty()) {
            return new ControlledPoolsForm(Json.emptyObject(), entries);
        }
        var reader = new Fields(key);
        var json = Json.readObject(key, Bytes.ofUtf8(text));
        for (var field : json.properties()) {
            if (!(field.getValue() instanceof ObjectNode entry)) {
                throw reader.wrong(field.getKey(), "an object");
            }
            var ranges = new ArrayList<Range>();
            for (var range : reader.texts(entry, "ips")) {
                ranges.add(IpText.range(family, range)
                        .orElseThrow(() -> new UnreadableDocumentException(key, PoolForm.noRange(family, range))));
            }
            entries.put(field.getKey(), new PreAllocation(new RangeSet(ranges), reader.text(entry, "application")));
        }
        return new ControlledPoolsForm(json, entries);
    }

    /// The text of these. If one stays as it is, what was read of it is kept.
    String text(SortedMap<String, PreAllocation> after) {
        var all = Json.emptyObject();
        after.forEach((pool, entry) -> all.set(pool, entry(pool, entry)));
        return Json.write(all).utf8();
    }

    private JsonNode entry(String pool, PreAllocation entry) {
        if (entry.equals(entries.get(pool))) {
            return json.path(pool);
        }
        var written = Json.emptyObject();
        var ips = written.putArray("ips");
        IpText.texts(entry.addresses()).forEach(ips::add);
        if (entry.forApplication()) {
            written.put("application", entry.application());
        }
        return written;
    }
}
