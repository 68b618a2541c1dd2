package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.subnet.PreAllocation;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.util.List;

/// A set of addresses of which pools are made.
final class SpiderSubnetKind implements SpiderKind {

    private static final GoStruct SUBNET_SPEC =
            GoStruct.of("excludeIPs", "gateway", "ipVersion", "ips", "subnet").with("routes", GoStruct.of("dst", "gw"));

    private static final Traits TRAITS = SpiderKind.traits(
                    SpiderSubnetDocument.KIND,
                    SpiderKeys.SUBNETS,
                    PrinterColumn.always("VERSION", "/spec/ipVersion"),
                    PrinterColumn.always("SUBNET", "/spec/subnet"),
                    PrinterColumn.always("ALLOCATED-IP-COUNT", "/status/allocatedIPCount"),
                    PrinterColumn.always("TOTAL-IP-COUNT", "/status/totalIPCount"))
            .writtenWith(SpiderKind.fields(SUBNET_SPEC));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return SpiderKind.super.isCalled(typed) || typed.equalsIgnoreCase("ss");
    }

    @Override
    public List<String> specFields() {
        return SUBNET_SPEC.names();
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return SpiderSubnetDocument.decode(name(key).orElseThrow(), value).encode();
    }

    @Override
    public Bytes encode(String name, ObjectNode json) {
        return SpiderSubnetDocument.of(name, json).encode();
    }

    @Override
    public ObjectNode counted(String name, ObjectNode json) {
        return SpiderSubnetDocument.of(name, json).counted().json();
    }

    @Override
    public void complete(ObjectView view, Given given, ObjectNode json) {
        SpiderSubnetRules.complete(json);
    }

    /// The spelling is the reference's.
    @Override
    public String leaving() {
        return "cannot update a terminaing Subnet";
    }

    @Override
    public List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode json) {
        var faults = SpiderSubnetRules.faultsOfCreation(view, given, json);
        return faults.isEmpty() ? heldElsewhere(view, given, json, RangeSet.EMPTY) : faults;
    }

    @Override
    public List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode json, ObjectNode before) {
        var stored = SpiderSubnetDocument.of(given.name(), before).subnet();
        var faults = SpiderSubnetRules.faultsOfUpdate(view, given, json, stored);
        return faults.isEmpty() ? heldElsewhere(view, given, json, stored.addresses()) : faults;
    }

    private static List<ObjectFault> heldElsewhere(ObjectView view, Given given, ObjectNode json, RangeSet had) {
        return SpiderPoolKind.heldElsewhere(
                view,
                "SpiderSubnet(%s)".formatted(given.name()),
                SpiderSubnetDocument.of(given.name(), json).subnet().addresses().minus(had));
    }

    /// A subnet of which pools have something goes after them.
    @Override
    public Decision<DocumentChange, ObjectOutcome> remove(ObjectView view, String name, Document stored, Instant now) {
        var document = SpiderSubnetDocument.decode(name, stored.value());
        var subnet = document.subnet();
        boolean unused = subnet.preAllocations().isEmpty()
                && view.poolsBut("").stream()
                        .noneMatch(pool -> pool.spec().subnet().equals(subnet.subnet()));
        if (unused && !subnet.damaged()) {
            return SpiderKind.super.remove(view, name, stored, now);
        }
        long addresses = IpText.count(subnet.preAllocations().values().stream()
                .map(PreAllocation::addresses)
                .reduce(RangeSet.EMPTY, RangeSet::union));
        var outcome = new ObjectOutcome.Terminating((int) Math.min(Integer.MAX_VALUE, addresses));
        if (subnet.terminating()) {
            return new Decision<>(outcome, List.of(), List.of());
        }
        var beginning =
                switch (view.host()) {
                    case API_SERVER -> SpiderObjects.deleting(stored);
                    case DOCUMENTS -> SpiderObjects.updating(stored, Trees.ending(document.json(), now));
                };
        return new Decision<>(outcome, List.of(beginning), List.of());
    }
}
