package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.util.List;

/// A pool that pods draw addresses from one by one.
final class SpiderPoolKind implements SpiderKind {

    private static final GoStruct SELECTOR =
            GoStruct.of("matchLabels").with("matchExpressions", GoStruct.of("key", "operator", "values"));

    private static final GoStruct POOL_SPEC = GoStruct.of(
                    "default",
                    "disable",
                    "excludeIPs",
                    "gateway",
                    "ipVersion",
                    "ips",
                    "multusName",
                    "namespaceName",
                    "nodeName",
                    "subnet")
            .with("namespaceAffinity", SELECTOR)
            .with("nodeAffinity", SELECTOR)
            .with("podAffinity", SELECTOR)
            .with("routes", GoStruct.of("dst", "gw"));

    private static final Traits TRAITS = SpiderKind.traits(
                    SpiderPoolDocument.KIND,
                    SpiderKeys.POOLS,
                    PrinterColumn.always("VERSION", "/spec/ipVersion"),
                    PrinterColumn.always("SUBNET", "/spec/subnet"),
                    PrinterColumn.always("ALLOCATED-IP-COUNT", "/status/allocatedIPCount"),
                    PrinterColumn.always("TOTAL-IP-COUNT", "/status/totalIPCount"),
                    PrinterColumn.always("DEFAULT", "/spec/default"),
                    PrinterColumn.wide("DISABLE", "/spec/disable"),
                    PrinterColumn.wide("NODENAME", "/spec/nodeName"),
                    PrinterColumn.wide("MULTUSNAME", "/spec/multusName"),
                    PrinterColumn.wide(
                            "APP-NAMESPACE", "/spec/podAffinity/matchLabels/ipam.spidernet.io~1app-namespace"))
            .writtenWith(SpiderKind.fields(POOL_SPEC));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return SpiderKind.super.isCalled(typed) || typed.equalsIgnoreCase("sp");
    }

    @Override
    public List<String> specFields() {
        return POOL_SPEC.names();
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return SpiderPoolDocument.decode(name(key).orElseThrow(), value).encode();
    }

    @Override
    public Bytes encode(String name, ObjectNode json) {
        return SpiderPoolDocument.of(name, json).encode();
    }

    @Override
    public ObjectNode counted(String name, ObjectNode json) {
        return SpiderPoolDocument.of(name, json).counted().json();
    }

    @Override
    public void complete(ObjectView view, Given given, ObjectNode json) {
        SpiderPoolRules.complete(view, given, json);
    }

    @Override
    public List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode json) {
        var faults = SpiderPoolRules.faultsOfCreation(json, view.poolsBut(given.name()), given.families());
        return faults.isEmpty() ? ofSubnetOrElsewhere(view, given, json, RangeSet.EMPTY) : faults;
    }

    @Override
    public List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode json, ObjectNode before) {
        var stored = SpiderPoolDocument.of(given.name(), before).pool();
        var faults = SpiderPoolRules.faultsOfUpdate(json, stored, view.poolsBut(given.name()), given.families());
        return faults.isEmpty()
                ? ofSubnetOrElsewhere(view, given, json, stored.spec().effective())
                : faults;
    }

    private static List<ObjectFault> ofSubnetOrElsewhere(ObjectView view, Given given, ObjectNode json, RangeSet had) {
        var faults = SpiderSubnetRules.faultsOfPool(view, given, json);
        return faults.isEmpty()
                ? heldElsewhere(
                        view,
                        "SpiderIPPool(%s)".formatted(given.name()),
                        SpiderPoolDocument.of(given.name(), json)
                                .pool()
                                .spec()
                                .effective()
                                .minus(had))
                : faults;
    }

    /// Addresses that another dialect gives.
    ///
    /// @param holder of the addresses, if they were not given
    /// @param more the addresses that it did not have before
    static List<ObjectFault> heldElsewhere(ObjectView view, String holder, RangeSet more) {
        if (more.empty()) {
            return List.of();
        }
        var ranges = SpiderRanges.of(holder, more);
        return view.neighbours().stream()
                .filter(neighbour -> ranges.stream().anyMatch(one -> one.range().overlaps(neighbour.range())))
                .map(neighbour -> ObjectFault.forbidden(
                        "spec.ips",
                        "%1$s overlaps with %2$s %3$s: no two dialects in one store may give addresses of one range; choose other addresses, or %4$s %2$s first"
                                .formatted(
                                        holder,
                                        neighbour.holder(),
                                        neighbour.range(),
                                        neighbour.level() == Holding.Level.NODE
                                                ? "release the addresses of"
                                                : "delete")))
                .toList();
    }

    /// A pool with addresses in use gives nothing any more and is deleted with the last of them.
    @Override
    public Decision<DocumentChange, ObjectOutcome> remove(ObjectView view, String name, Document stored, Instant now) {
        var document = SpiderPoolDocument.decode(name, stored.value());
        var pool = document.pool();
        if (!pool.damage().isEmpty()) {
            var refusal = "cannot tell which pods have addresses of IPPool %s: %s".formatted(name, pool.damage());
            return new Decision<>(new ObjectOutcome.Refused(refusal), List.of(), List.of());
        }
        if (pool.records().isEmpty()) {
            return SpiderKind.super.remove(view, name, stored, now);
        }
        var outcome = new ObjectOutcome.Terminating(pool.records().size());
        if (pool.terminating()) {
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
