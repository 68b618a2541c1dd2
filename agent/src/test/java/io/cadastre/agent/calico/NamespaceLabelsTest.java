package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.kubernetes.NodeBook;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pools that select namespaces and nodes by their labels.
class NamespaceLabelsTest {

    private static final String KUBERNETES = ",\"policy\":{\"type\":\"k8s\"}";

    private final MemoryDatastore store = new MemoryDatastore();
    private final CalicoIpamNode cluster = CalicoIpamNode.on(store)
            .withPool("gold", "10.1.0.0/24", 26, ",\"namespaceSelector\":\"tier == 'gold'\"")
            .withPool("others", "10.2.0.0/24", 26, ",\"namespaceSelector\":\"tier != 'gold'\"");

    @AfterEach
    void close() {
        cluster.close();
        store.close();
    }

    private void withNamespace(String name, String labels) {
        cluster.put(
                StoredPods.NAMESPACES + name,
                "{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}".formatted(name, labels));
    }

    private CalicoIpamNode.Ring pod(String container, String namespace) {
        return cluster.pod(container).args("IgnoreUnknown=1;K8S_POD_NAME=web;K8S_POD_NAMESPACE=" + namespace);
    }

    @Test
    void poolIsChosenByTheLabelsOfTheNamespace() {
        withNamespace("shop", "\"tier\":\"gold\"");
        withNamespace("lab", "\"tier\":\"tin\"");

        var gold = pod("c1", "shop").addresses();
        var other = pod("c2", "lab").addresses();

        assertThat(gold).singleElement().asString().startsWith("10.1.0.");
        assertThat(other).singleElement().asString().startsWith("10.2.0.");
    }

    @Test
    void labelsThatChangeCountForTheNextPod() {
        withNamespace("shop", "\"tier\":\"tin\"");
        pod("c1", "shop").add();
        withNamespace("shop", "\"tier\":\"gold\"");

        var next = pod("c2", "shop").addresses();

        assertThat(next).singleElement().asString().startsWith("10.1.0.");
    }

    @Test
    void unknownNamespaceHasItsNameLabelOnly() {
        cluster.withPool(
                "named", "10.3.0.0/24", 26, ",\"namespaceSelector\":\"kubernetes.io/metadata.name == 'quiet'\"");

        var named = pod("c1", "quiet").ipam("{\"ipv4_pools\":[\"named\"]}").addresses();

        assertThat(named).singleElement().asString().startsWith("10.3.0.");
    }

    @Test
    void namespaceThatMustBeKnownAndIsNotIsAnError() {
        var failure = pod("c1", "nowhere").failure(CniVerb.ADD, KUBERNETES);

        assertThat(failure.msg()).isEqualTo("failed to get namespace nowhere: namespaces \"nowhere\" not found");
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void delDoesNotAskForTheNamespace() {
        withNamespace("shop", "");
        pod("c1", "shop").add();

        var answer = pod("c1", "nowhere").answer(CniVerb.DEL, KUBERNETES, new Withdrawal());

        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void nodeIsMadeWithTheLabelsThatKubernetesKnows() {
        try (var elsewhere = new MemoryDatastore()) {
            CalicoIpamNode.put(
                    elsewhere,
                    NodeBook.NODES + "node-1",
                    "{\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"," + "\"labels\":{\"zone\":\"east\"}}}");
            try (var labelled = CalicoIpamNode.on(elsewhere)
                    .withPool("west", "10.4.0.0/24", 26, selecting("west"))
                    .withPool("east", "10.5.0.0/24", 26, selecting("east"))) {

                var addresses = labelled.pod("c1").addresses();

                assertThat(addresses).singleElement().asString().startsWith("10.5.0.");
            }
        }
    }

    private static String selecting(String zone) {
        return ",\"nodeSelector\":\"zone == '%s'\"".formatted(zone);
    }
}
