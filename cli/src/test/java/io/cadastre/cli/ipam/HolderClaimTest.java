package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// What the Pods of a cluster claim to hold.
class HolderClaimTest {

    @AutoClose
    private final Datastore store = new MemoryDatastore();

    private void pod(String name, String spec, String status) {
        store.commit(List.of(new Write.Create(
                CoreKeys.PODS + "shop/" + name,
                Bytes.ofUtf8("{\"metadata\":{},\"spec\":{%s},\"status\":{%s}}".formatted(spec, status)))));
    }

    @Test
    void podsThatRunWithAddressesOfTheirOwnHoldThem() {
        var onNode = "\"nodeName\":\"node-1\"";
        pod("both", onNode, "\"podIP\":\"10.0.0.9\",\"podIPs\":[{\"ip\":\"10.0.0.9\"},{\"ip\":\"10.0.0.1\"},{}]");
        pod("ended", onNode, "\"phase\":\"Succeeded\",\"podIP\":\"10.0.0.2\"");
        pod("failed", onNode, "\"phase\":\"Failed\",\"podIP\":\"10.0.0.3\"");
        pod("host", onNode + ",\"hostNetwork\":true", "\"podIP\":\"192.168.0.1\"");
        pod("one", onNode, "\"phase\":\"Running\",\"podIP\":\"fd00::1\"");
        pod("waiting", "", "\"podIP\":\"10.0.0.4\"");
        pod("without", onNode, "\"phase\":\"Pending\"");

        var claims = HolderClaim.ofPods(store);

        assertThat(claims)
                .extracting(claim -> "%s %s %s %s %s"
                        .formatted(
                                claim.subject(),
                                HolderClaim.name(claim.holding()),
                                claim.holding().facts().node(),
                                claim.known(),
                                claim.source()))
                .containsExactly(
                        "10.0.0.1 adopted.shop.both node-1 POD pod shop/both",
                        "10.0.0.9 adopted.shop.both node-1 POD pod shop/both",
                        "fd00::1 adopted.shop.one node-1 POD pod shop/one");
        assertThat(claims.getFirst().holding().facts().namespace()).isEqualTo("shop");
        assertThat(claims.getFirst().holding().facts().pod()).isEqualTo("both");
    }

    @Test
    void podThatIsNotAnObjectIsNamed() {
        store.commit(List.of(new Write.Create(CoreKeys.PODS + "shop/web", Bytes.ofUtf8("[]"))));

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> HolderClaim.ofPods(store))
                .withMessage("cannot read /cadastre/api/v1/pods/shop/web: it is not a JSON object");
    }
}
