package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.block.Handle;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.JsonLine;
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
        var json = new JsonLine(BYTES_EXPECTED);
        json.startObject();
        json.name(BLOCK).startObject();
        byText().forEach((cidr, count) -> json.name(cidr).number(count));
        json.endObject();
        json.name(DELETED).flag(false);
        foreign.writeTo(json);
        return json.endObject().toBytes();
    }

    private SortedMap<String, Integer> byText() {
        var byText = new TreeMap<String, Integer>(Keys.ORDER);
        handle.counts().forEach((cidr, count) -> byText.put(cidr.toString(), count));
        return byText;
    }
}
