package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.util.List;

/// How routes of pods and hosts are set beside the addresses. No address depends on it: the agent only hands it on to
/// Spiderpool's coordinator plugin.
final class CoordinatorKind implements SpiderKind {

    static final GoStruct SPEC = GoStruct.of(
                    "hijackCIDR",
                    "hostRuleTable",
                    "mode",
                    "podCIDRType",
                    "podDefaultRouteNIC",
                    "podMACPrefix",
                    "podRPFilter",
                    "tunePodRoutes",
                    "txQueueLen",
                    "vethLinkAddress",
                    "vethMTU")
            .with("policyRoutes", GoStruct.of("dst", "gw"));

    private static final Traits TRAITS = SpiderKind.traits(
                    "SpiderCoordinator",
                    SpiderKeys.COORDINATORS,
                    PrinterColumn.always("MODE", "/spec/mode"),
                    PrinterColumn.always("PODCIDRTYPE", "/spec/podCIDRType"),
                    PrinterColumn.always("PHASE", "/status/phase"))
            .writtenWith(GoStruct.KUBERNETES_OBJECT
                    .with("spec", SPEC)
                    .with("status", GoStruct.of("overlayPodCIDR", "phase", "reason", "serviceCIDR")));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return SpiderKind.super.isCalled(typed) || typed.equalsIgnoreCase("scc");
    }

    @Override
    public boolean standsAlone() {
        return true;
    }

    @Override
    public List<String> specFields() {
        return SPEC.names();
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        var reader = new Fields(key);
        var json = Json.readObject(key, value);
        reader.expect(json, "kind", word());
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        return Json.write(json);
    }

    @Override
    public Bytes encode(String name, ObjectNode json) {
        return Json.write(json);
    }

    @Override
    public void complete(ObjectView view, Given given, ObjectNode coordinator) {
        CoordinatorRules.complete(Trees.child(coordinator, Trees.SPEC));
    }

    @Override
    public List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode coordinator) {
        var spec = new Fields("").object(coordinator, Trees.SPEC);
        return Fields.absent(spec.path("podCIDRType"))
                ? List.of(ObjectFault.required(
                        "spec.podCIDRType",
                        "it says where the addresses of pods are from: auto, cluster, calico, cilium or none"))
                : CoordinatorRules.faults(spec, "spec");
    }

    @Override
    public List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode coordinator, ObjectNode before) {
        return faultsOfCreation(view, given, coordinator);
    }
}
