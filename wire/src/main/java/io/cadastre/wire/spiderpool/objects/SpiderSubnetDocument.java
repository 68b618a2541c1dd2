package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.subnet.PoolSubnet;
import io.cadastre.engine.pool.subnet.PoolSubnet.Counts;
import io.cadastre.engine.pool.subnet.PoolSubnet.Labelling;
import io.cadastre.engine.pool.subnet.PoolSubnet.Life;
import io.cadastre.engine.pool.subnet.PreAllocation;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.Collections;
import java.util.SortedMap;

/// A `SpiderSubnet` as JSON. Fields unknown here are kept.
public final class SpiderSubnetDocument {

    static final String KIND = "SpiderSubnet";

    /// By which pools find their subnet.
    static final String CIDR_LABEL = "ipam.spidernet.io/subnet-cidr";

    private static final String POOLS = "controlledIPPools";
    private static final String ALLOCATED_COUNT = "allocatedIPCount";
    private static final String TOTAL_COUNT = "totalIPCount";

    private final ObjectNode json;
    private final ControlledPoolsForm pools;
    private final PoolSubnet subnet;

    private SpiderSubnetDocument(ObjectNode json, ControlledPoolsForm pools, PoolSubnet subnet) {
        this.json = json;
        this.pools = pools;
        this.subnet = subnet;
    }

    /// Reads the document of a subnet.
    ///
    /// @throws UnreadableDocumentException if it is not one, or that of another subnet
    public static SpiderSubnetDocument decode(String name, Bytes document) {
        return of(name, Json.readObject(SpiderKeys.subnet(name), document));
    }

    static SpiderSubnetDocument of(String name, ObjectNode json) {
        var reader = new Fields(SpiderKeys.subnet(name));
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        var metadata = reader.object(json, Trees.METADATA);
        reader.expect(metadata, "name", name);
        var form = PoolForm.read(reader, reader.object(json, Trees.SPEC));
        var spec = form.spec();
        var status = reader.object(json, Trees.STATUS);
        var damage = form.damage();
        ControlledPoolsForm pools;
        try {
            pools = ControlledPoolsForm.read(reader.key(), reader.text(status, POOLS), spec.family());
        } catch (UnreadableDocumentException unreadable) {
            pools = new ControlledPoolsForm(Json.emptyObject(), Collections.emptySortedMap());
            damage = "its status.controlledIPPools cannot be read: " + unreadable.fault();
        }
        boolean labelled =
                reader.textMap(metadata, "labels").getOrDefault(CIDR_LABEL, "").equals(IpText.label(spec.subnet()));
        boolean counted = !Fields.absent(status.path(ALLOCATED_COUNT))
                && !Fields.absent(status.path(TOTAL_COUNT))
                && reader.count(status, ALLOCATED_COUNT) == count(pools.entries())
                && reader.count(status, TOTAL_COUNT) == IpText.count(spec.effective());
        return new SpiderSubnetDocument(
                json,
                pools,
                new PoolSubnet(
                        name,
                        spec.subnet(),
                        spec.effective(),
                        spec.gateway(),
                        spec.routes(),
                        Trees.terminating(json) ? Life.TERMINATING : Life.LIVE,
                        labelled ? Labelling.LABELLED : Labelling.UNLABELLED,
                        counted ? Counts.RIGHT : Counts.WRONG,
                        pools.entries(),
                        damage));
    }

    private static long count(SortedMap<String, PreAllocation> entries) {
        return IpText.count(
                entries.values().stream().map(PreAllocation::addresses).reduce(RangeSet.EMPTY, RangeSet::union));
    }

    public PoolSubnet subnet() {
        return subnet;
    }

    /// By which its pools know it from another one of its name.
    String uid() {
        return json.path(Trees.METADATA).path("uid").asText();
    }

    /// A copy of the whole document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    /// What is written when its pools have these addresses.
    Bytes encodeWith(SortedMap<String, PreAllocation> after) {
        var changed = json.deepCopy();
        var status = Trees.child(changed, Trees.STATUS);
        status.put(ALLOCATED_COUNT, count(after));
        status.put(TOTAL_COUNT, IpText.count(subnet.addresses()));
        if (after.isEmpty()) {
            status.remove(POOLS);
        } else {
            status.put(POOLS, pools.text(after));
        }
        changed.set(Trees.STATUS, Trees.sorted(status));
        return Json.write(changed);
    }

    /// The same, never as it is stored: an API server gives an object a revision only if something differs. So a text
    /// that stays ends with a space, and the next one does not.
    Bytes encodeAnewWith(SortedMap<String, PreAllocation> after) {
        var content = encodeWith(after);
        var changed = Json.readObject(SpiderKeys.subnet(subnet.name()), content);
        var text = changed.path(Trees.STATUS).path(POOLS).asText();
        if (!text.equals(json.path(Trees.STATUS).path(POOLS).asText()) || text.isEmpty()) {
            return content;
        }
        Trees.child(changed, Trees.STATUS).put(POOLS, text + " ");
        return Json.write(changed);
    }

    /// This, with its addresses counted.
    SpiderSubnetDocument counted() {
        return decode(subnet.name(), encodeWith(pools.entries()));
    }

    /// This with the label by which pools find it, and with the finalizer that keeps it until its pools are gone.
    Bytes encodeLabelled() {
        var changed = json.deepCopy();
        SpiderPoolRules.putFinalizer(Trees.child(changed, Trees.METADATA));
        label(changed, subnet);
        return Json.write(changed);
    }

    private static void label(ObjectNode json, PoolSubnet subnet) {
        var metadata = Trees.child(json, Trees.METADATA);
        metadata.set(
                "labels", Trees.sorted(Trees.child(metadata, "labels").put(CIDR_LABEL, IpText.label(subnet.subnet()))));
    }

    /// The reference to it that its pools have.
    ObjectNode ownerReference() {
        return Json.emptyObject()
                .put("apiVersion", SpiderKeys.API_VERSION)
                .put("blockOwnerDeletion", true)
                .put("controller", true)
                .put("kind", KIND)
                .put("name", subnet.name())
                .put("uid", uid());
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
