package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineNodeTest {

    @Test
    void machineConditionAndTaintAreRead() {
        var node = read("""
            "spec":{"podCIDR":"10.8.0.0/24","podCIDRs":["10.8.0.0/24"],"providerID":"gce://p/z/n1",
             "taints":[{"key":"node.kubernetes.io/network-unavailable","effect":"NoSchedule"}]},
            "status":{"conditions":[{"type":"Ready","status":"True"},{"type":"NetworkUnavailable","status":"Unknown"}]}\
            """);

        assertThat(node)
                .isEqualTo(new MachineNode(
                        new CloudNode(
                                new NodeEntry("n1", List.of("10.8.0.0/24"), false, "u-1"),
                                "gce://p/z/n1",
                                "Unknown",
                                true),
                        7));
    }

    @Test
    void missingFieldsAreEmpty() {
        assertThat(read("\"spec\":{}").node())
                .isEqualTo(new CloudNode(new NodeEntry("n1", List.of(), false, "u-1"), "", "", false));
    }

    @Test
    void taintOfAnotherEffectDoesNotCount() {
        var taints = "\"spec\":{\"taints\":[{\"key\":\"node.kubernetes.io/network-unavailable\","
                + "\"effect\":\"NoExecute\"},{\"key\":\"other\",\"effect\":\"NoSchedule\"}]}";

        assertThat(read(taints).node().tainted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"spec\":{\"taints\":[7]}",
                "\"spec\":{\"providerID\":7}",
                "\"status\":{\"conditions\":{}}",
                "\"status\":{\"conditions\":[null]}"
            })
    void fieldOfAnotherTypeMakesTheNodeUnreadable(String fields) {
        assertThatThrownBy(() -> read(fields)).isInstanceOf(UnreadableDocumentException.class);
    }

    @Test
    void patchOfAnAllocatorHasTheList() {
        var change = new PatchCidrs(
                "n1", List.of(Prefix.parse("10.8.0.0/24"), Prefix.parse("fd00::/64")), PatchCidrs.Form.LIST);

        assertThat(MachineNode.patchOf(change))
                .hasToString("{\"spec\":{\"podCIDR\":\"10.8.0.0/24\",\"podCIDRs\":[\"10.8.0.0/24\",\"fd00::/64\"]}}");
    }

    @Test
    void patchOfASynchronisingModeHasTheFirstOnly() {
        var change = new PatchCidrs("n1", List.of(Prefix.parse("10.8.0.0/24")), PatchCidrs.Form.FIRST_ONLY);

        assertThat(MachineNode.patchOf(change))
                .hasToString("{\"apiVersion\":\"\",\"kind\":\"\",\"metadata\":{\"name\":\"n1\"},"
                        + "\"spec\":{\"podCIDR\":\"10.8.0.0/24\"}}");
    }

    @Test
    void patchOfTheStatusHasTheCondition() {
        var change = new OpenNetwork("n1", "some words");

        assertThat(MachineNode.patchOf(change, Instant.parse("2026-01-02T03:04:05.678Z")))
                .hasToString("{\"status\":{\"conditions\":[{\"type\":\"NetworkUnavailable\",\"status\":\"False\","
                        + "\"lastHeartbeatTime\":\"2026-01-02T03:04:05Z\","
                        + "\"lastTransitionTime\":\"2026-01-02T03:04:05Z\","
                        + "\"reason\":\"RouteCreated\",\"message\":\"some words\"}]}}");
    }

    private static MachineNode read(String fields) {
        var json = "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n1\",\"uid\":\"u-1\"},%s}"
                .formatted(fields);
        return MachineNode.read(new Document(NodeObject.key("n1"), Bytes.ofUtf8(json), 7));
    }
}
