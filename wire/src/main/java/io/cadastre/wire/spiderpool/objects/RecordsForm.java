package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.Tenancy;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;

import java.util.SortedMap;
import java.util.TreeMap;

/// Who has which address of a pool: an object in JSON, as text in a field of another.
///
/// ```json
/// {"10.6.168.101":{"pod":"default/web-1","podUid":"0b1f…"}}
/// ```
///
/// The addresses are in the order of their texts. Where there are none there is no text either.
///
/// @param json as it was read, with fields that are unknown here
record RecordsForm(ObjectNode json, SortedMap<Address, Tenancy> records) {

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
        var records = new TreeMap<Address, Tenancy>();
        for (var field : json.properties()) {
            var address =
                    IpText.address(field.getKey())
                            .filter(read -> read.toString().equals(field.getKey()))
                            .orElseThrow(
                                    () ->
                                            new UnreadableDocumentException(
                                                    key,
                                                    "'%s' is no address in its usual form"
                                                            .formatted(field.getKey())));
            if (!(field.getValue() instanceof ObjectNode record)) {
                throw reader.wrong(field.getKey(), "an object");
            }
            records.put(
                    address,
                    new Tenancy(reader.text(record, "pod"), reader.text(record, "podUid")));
        }
        return new RecordsForm(json, records);
    }

    /// The text that tells of these records. What was read of one that stays is kept.
    String text(SortedMap<Address, Tenancy> after) {
        var sorted = new TreeMap<String, JsonNode>();
        after.forEach(
                (address, tenancy) -> sorted.put(address.toString(), record(address, tenancy)));
        var all = Json.emptyObject();
        sorted.forEach(all::set);
        return Json.write(all).utf8();
    }

    private JsonNode record(Address address, Tenancy tenancy) {
        return tenancy.equals(records.get(address))
                ? json.path(address.toString())
                : Json.emptyObject().put("pod", tenancy.pod()).put("podUid", tenancy.podUid());
    }

    /// No less than what so many records take in a document.
    static long bytesMax(SortedMap<Address, Tenancy> records) {
        return records.entrySet().stream()
                .mapToLong(
                        record ->
                                record.getKey().toString().length()
                                        + record.getValue().pod().length()
                                        + record.getValue().podUid().length()
                                        + FRAME_BYTES)
                .sum();
    }
}
