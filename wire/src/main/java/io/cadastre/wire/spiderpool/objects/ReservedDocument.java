package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.stream.Stream;

/// A `SpiderReservedIP` as JSON. Fields unknown here are kept.
public final class ReservedDocument {

    static final String KIND = "SpiderReservedIP";

    private final ObjectNode json;
    private final RangeSet reserved;

    private ReservedDocument(ObjectNode json, RangeSet reserved) {
        this.json = json;
        this.reserved = reserved;
    }

    /// Reads the document of some reserved addresses.
    ///
    /// @throws UnreadableDocumentException if it is not one; what it reserves is then unknown, and the
    ///     caller must not guess
    public static ReservedDocument decode(String name, Bytes document) {
        var key = SpiderKeys.reserved(name);
        return of(name, Json.readObject(key, document));
    }

    static ReservedDocument of(String name, ObjectNode json) {
        var reader = new Fields(SpiderKeys.reserved(name));
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        reader.expect(reader.object(json, Trees.METADATA), "name", name);
        var ranges = new ArrayList<Range>();
        for (var text : reader.texts(reader.object(json, Trees.SPEC), "ips")) {
            ranges.add(Stream.of(Family.values())
                    .flatMap(family -> IpText.range(family, text).stream())
                    .findFirst()
                    .orElseThrow(() ->
                            new UnreadableDocumentException(reader.key(), "'%s' is not a range".formatted(text))));
        }
        return new ReservedDocument(json, new RangeSet(ranges));
    }

    /// The addresses that must not be given. A document whose deletion has begun reserves nothing any more.
    public RangeSet reserved() {
        return Trees.terminating(json) ? RangeSet.EMPTY : reserved;
    }

    /// A copy of the whole document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
