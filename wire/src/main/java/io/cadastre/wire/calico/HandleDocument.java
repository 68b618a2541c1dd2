package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.block.Handle;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A handle as JSON. Its id is in the key alone.
public final class HandleDocument implements CalicoDocument {

    private static final String BLOCK = "block";
    private static final String DELETED = "deleted";

    private static final int BYTES_EXPECTED = 128;

    private final Handle handle;
    private final ForeignFields foreign;

    private HandleDocument(Handle handle, ForeignFields foreign) {
        this.handle = handle;
        this.foreign = foreign;
    }

    static HandleDocument create(Handle handle) {
        return new HandleDocument(handle, ForeignFields.NONE);
    }

    static HandleDocument read(Fields reader, String id, ObjectNode json) {
        var counts = new TreeMap<Prefix, Integer>();
        for (var field : reader.object(json, BLOCK).properties()) {
            counts.put(Prefix.parse(field.getKey()), reader.integer(field.getValue(), field.getKey()));
        }
        return new HandleDocument(new Handle(id, counts), ForeignFields.of(json, List.of(BLOCK, DELETED)));
    }

    public Handle handle() {
        return handle;
    }

    HandleDocument with(Handle changed) {
        return new HandleDocument(changed, foreign);
    }

    @Override
    public Bytes encode() {
        return Json.write(BYTES_EXPECTED, json -> {
            json.writeStartObject();
            json.writeObjectFieldStart(BLOCK);
            for (var count : byText().entrySet()) {
                json.writeNumberField(count.getKey(), count.getValue());
            }
            json.writeEndObject();
            json.writeBooleanField(DELETED, false);
            foreign.writeTo(json);
            json.writeEndObject();
        });
    }

    private SortedMap<String, Integer> byText() {
        var byText = new TreeMap<String, Integer>(Keys.ORDER);
        handle.counts().forEach((cidr, count) -> byText.put(cidr.toString(), count));
        return byText;
    }
}
