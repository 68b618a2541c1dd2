package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.AddressPool.Origin;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PoolRecords;
import io.cadastre.engine.pool.subnet.SubnetPool;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.Collections;

/// A `SpiderIPPool` as JSON. Fields unknown here are kept.
public final class SpiderPoolDocument {

    static final String KIND = "SpiderIPPool";

    /// The label that only pools have that were made for an application.
    private static final String APPLICATION = "ipam.spidernet.io/owner-application-name";

    private static final String ALLOCATED = "allocatedIPs";

    /// What the field and a longer count take beside the records.
    private static final int ALLOCATED_FRAME_BYTES = 64;

    private static final String ALLOCATED_COUNT = "allocatedIPCount";
    private static final String TOTAL_COUNT = "totalIPCount";

    private final ObjectNode json;
    private final RecordsForm records;
    private final AddressPool pool;

    /// No less than what it takes without its records.
    private final long frameBytes;

    private SpiderPoolDocument(ObjectNode json, RecordsForm records, AddressPool pool) {
        this.json = json;
        this.records = records;
        this.pool = pool;
        this.frameBytes = (long) Json.write(without(json, ALLOCATED)).size() + ALLOCATED_FRAME_BYTES;
    }

    private static ObjectNode without(ObjectNode json, String field) {
        var rest = json.deepCopy();
        if (rest.get(Trees.STATUS) instanceof ObjectNode status) {
            status.remove(field);
        }
        return rest;
    }

    /// Reads the document of a pool.
    ///
    /// @throws UnreadableDocumentException if it is not one, or that of another pool
    public static SpiderPoolDocument decode(String name, Bytes document) {
        var key = SpiderKeys.pool(name);
        return of(name, Json.readObject(key, document));
    }

    static SpiderPoolDocument of(String name, ObjectNode json) {
        var reader = new Fields(SpiderKeys.pool(name));
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        var metadata = reader.object(json, Trees.METADATA);
        reader.expect(metadata, "name", name);
        var form = PoolForm.read(reader, reader.object(json, Trees.SPEC));
        var damage = form.damage();
        RecordsForm records;
        try {
            records = RecordsForm.read(reader.key(), reader.text(reader.object(json, Trees.STATUS), ALLOCATED));
        } catch (UnreadableDocumentException unreadable) {
            records = new RecordsForm(Json.emptyObject(), Collections.emptySortedMap());
            damage = "its status.allocatedIPs cannot be read: " + unreadable.fault();
        }
        var origin = reader.textMap(metadata, "labels").containsKey(APPLICATION)
                ? Origin.MADE_FOR_APPLICATION
                : Origin.MADE_BY_HAND;
        return new SpiderPoolDocument(
                json,
                records,
                new AddressPool(name, form.spec(), origin, Trees.terminating(json), records.records(), damage));
    }

    /// The pool with what binds it, where the subnet of the name that it has is the one that is meant.
    public SubnetPool bound() {
        return SubnetPoolDocument.read(this);
    }

    public AddressPool pool() {
        return pool;
    }

    /// A copy of the whole document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    /// What is written when the holders of its addresses change. The total changes only with the pool's
    /// addresses.
    Bytes encodeWith(PoolRecords after) {
        return Json.write(with(after));
    }

    /// The same, and never what is stored. The Kubernetes API gives a document that is written as it is no new
    /// revision, so a write that is still under way would find the revision that it expects.
    ///
    /// The other form of a status says the same: the text of the records ends with a space, or an unused pool is
    /// not counted. A change outside the status would need further rights, and pass Spiderpool's webhook.
    Bytes encodeChangedWith(PoolRecords after) {
        var changed = with(after);
        var status = Trees.child(changed, Trees.STATUS);
        // As texts: a number that was read keeps its digits, and is not equal to one that was put.
        if (json.get(Trees.STATUS) instanceof ObjectNode stored
                && Json.write(Trees.sorted(stored)).equals(Json.write(status))) {
            if (after.empty()) {
                status.remove(ALLOCATED_COUNT);
            } else {
                status.put(ALLOCATED, records.text(after) + " ");
            }
        }
        return Json.write(changed);
    }

    private ObjectNode with(PoolRecords after) {
        var changed = json.deepCopy();
        var status = Trees.child(changed, Trees.STATUS);
        status.put(ALLOCATED_COUNT, after.size());
        if (after.empty()) {
            status.remove(ALLOCATED);
        } else {
            status.put(ALLOCATED, records.text(after));
        }
        changed.set(Trees.STATUS, Trees.sorted(status));
        return changed;
    }

    /// This, with its addresses counted.
    SpiderPoolDocument counted() {
        var changed = json.deepCopy();
        var status = Trees.child(changed, Trees.STATUS);
        if (Fields.absent(status.path(ALLOCATED_COUNT))) {
            status.put(ALLOCATED_COUNT, pool.held().size());
        }
        status.put(TOTAL_COUNT, IpText.count(pool.spec().effective()));
        changed.set(Trees.STATUS, Trees.sorted(status));
        return of(pool.name(), changed);
    }

    /// No less than what is written when these records are in it.
    long bytesMax(PoolRecords after) {
        return frameBytes + RecordsForm.bytesMax(after);
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
