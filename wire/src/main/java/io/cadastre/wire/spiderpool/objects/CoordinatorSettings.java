package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.List;

/// A SpiderCoordinator as the agent hands it on to Spiderpool's coordinator plugin.
///
/// Its status has the CIDRs of pods and services, which Spiderpool's controller finds out. One that is set to know none
/// needs no such controller.
///
/// @param name of the object
public record CoordinatorSettings(String name, ObjectNode json) {

    /// The annotation of a pod that names the interface of its default route.
    public static final String ROUTE_ANNOTATION = "ipam.spidernet.io/default-route-nic";

    private static final String SYNCED = "Synced";

    public CoordinatorSettings {
        json = json.deepCopy();
    }

    /// Reads one that is stored.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if it cannot be read
    public static CoordinatorSettings decode(Document stored) {
        return new CoordinatorSettings(
                stored.key().substring(SpiderKeys.COORDINATORS.length()),
                Json.readObject(stored.key(), stored.value()));
    }

    private Fields reader() {
        return new Fields("SpiderCoordinator " + name);
    }

    /// Whether its CIDRs are known.
    public boolean ready() {
        var phase = reader().text(reader().object(json, Trees.STATUS), "phase");
        var spec = reader().object(json, Trees.SPEC);
        return phase.equals(SYNCED)
                || (phase.isEmpty() && reader().text(spec, "podCIDRType").equals("none"));
    }

    /// The answer of the agent.
    ///
    /// @param routeInterface that of the default route; empty if the pod names none
    public Bytes answer(String routeInterface) {
        var reader = reader();
        var spec = reader.object(json, Trees.SPEC).deepCopy();
        CoordinatorRules.complete(spec);
        var status = reader.object(json, Trees.STATUS);
        var answer = Json.emptyObject();
        putTexts(answer, "hijackCIDR", reader.texts(spec, "hijackCIDR"));
        putNumber(answer, spec, "hostRuleTable");
        answer.put("mode", reader.text(spec, "mode"));
        putTexts(answer, "overlayPodCIDR", reader.texts(status, "overlayPodCIDR"));
        putText(
                answer,
                "podDefaultRouteNIC",
                routeInterface.isEmpty() ? reader.text(spec, "podDefaultRouteNIC") : routeInterface);
        putText(answer, "podMACPrefix", reader.text(spec, "podMACPrefix"));
        putNumber(answer, spec, "podRPFilter");
        answer.set("policyRoutes", reader.array(spec, "policyRoutes"));
        putTexts(answer, "serviceCIDR", reader.texts(status, "serviceCIDR"));
        answer.put("tunePodRoutes", reader.flag(spec, "tunePodRoutes"));
        putNumber(answer, spec, "txQueueLen");
        putText(answer, "vethLinkAddress", reader.text(spec, "vethLinkAddress"));
        putNumber(answer, spec, "vethMTU");
        return Json.write(answer);
    }

    private static void putTexts(ObjectNode answer, String name, List<String> texts) {
        var array = answer.putArray(name);
        texts.forEach(array::add);
    }

    private static void putText(ObjectNode answer, String name, String text) {
        if (!text.isEmpty()) {
            answer.put(name, text);
        }
    }

    private void putNumber(ObjectNode answer, ObjectNode spec, String name) {
        int number = reader().integer(spec.path(name), name);
        if (number != 0) {
            answer.put(name, number);
        }
    }
}
