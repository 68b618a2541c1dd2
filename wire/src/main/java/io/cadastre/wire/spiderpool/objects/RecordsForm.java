package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRecords;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which pod has which address of a pool: a JSON object, as text in a field of another.
///
/// ```json
/// {"10.6.168.101":{"pod":"default/web-1","podUid":"0b1f…"}}
/// ```
///
/// The addresses are in the order of their texts. Without addresses there is no text.
///
/// @param json as it was read, with fields that are unknown here
record RecordsForm(ObjectNode json, SortedMap<Address, PoolRecord> records) {

    /// What one record needs beside its texts, with the marks that make it text in text.
    private static final int FRAME_BYTES = 40;

    /// Reads the text.
    ///
    /// @throws UnreadableDocumentException if it says something else
    static RecordsForm read(String key, String text) {
        if (text.isEmpty()) {
            return new RecordsForm(Json.emptyObject(), new TreeMap<>());
        }
        var reader = new Fields(key);
        var json = Json.readObject(key, Bytes.ofUtf8(text));
        var records = new TreeMap<Address, PoolRecord>();
        for (var field : json.properties()) {
            var address = IpText.address(field.getKey())
                    .filter(read -> read.toString().equals(field.getKey()))
                    .orElseThrow(() -> new UnreadableDocumentException(
                            key, "'%s' is not an address in its usual form".formatted(field.getKey())));
            if (!(field.getValue() instanceof ObjectNode record)) {
                throw reader.wrong(field.getKey(), "an object");
            }
            records.put(address, new PoolRecord(reader.text(record, "pod"), reader.text(record, "podUid")));
        }
        return new RecordsForm(json, records);
    }

    /// The text of these records. If a record stays, what was read of it is kept.
    String text(PoolRecords after) {
        var sorted = new TreeMap<String, JsonNode>();
        after.all().forEach(held -> sorted.put(held.address().toString(), record(held.address(), held.record())));
        var all = Json.emptyObject();
        sorted.forEach(all::set);
        return Json.write(all).utf8();
    }

    private JsonNode record(Address address, PoolRecord record) {
        return record.equals(records.get(address))
                ? json.path(address.toString())
                : Json.emptyObject().put("pod", record.pod()).put("podUid", record.podUid());
    }

    /// At least the bytes that these records take in a document.
    static long bytesMax(PoolRecords records) {
        return records.characters() + (long) FRAME_BYTES * records.size();
    }
}
