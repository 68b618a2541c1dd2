package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.calico.AgentContext;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What the agent of pools reads for an ADD.
class PoolAgentReadingsTest {

    private final PoolAgentFixture cluster = new PoolAgentFixture();
    private final ReadingStore store = new ReadingStore(cluster.store, new ArrayList<>());
    private final PoolAgent agent = new PoolAgent(
            new AgentContext(
                    store,
                    new Ledger(new MemoryJournal()),
                    InstantSource.fixed(PoolAgentFixture.NOW),
                    new SplittableRandom(1),
                    _ -> {}),
            "n1",
            PoolAgentSettings.of(Map.of()));

    /// Notes the keys that are read one by one.
    private record ReadingStore(Datastore store, List<String> keys) implements ForwardingDatastore {

        @Override
        public Optional<Document> get(String key) {
            keys.add(key);
            return store.get(key);
        }
    }

    @Test
    void furtherPodCostsOneReadingOfItsPodItsNamespaceAndItsPool() {
        cluster.pool("p", "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.9\"]}");
        cluster.pod("a", "u1", "p");
        cluster.pod("b", "u2", "p");
        PoolAgentFixture.given(agent, "a", "u1");
        store.keys().clear();

        var given = PoolAgentFixture.given(agent, "b", "u2");

        assertThat(given).containsExactly("10.2.0.2/24");
        assertThat(store.keys())
                .containsExactlyInAnyOrder(CoreKeys.PODS + "ns1/b", CoreKeys.NAMESPACES + "ns1", SpiderKeys.pool("p"));
    }

    @Test
    void podThatAsksAgainIsAnsweredFromItsEndpointAlsoByANewAgent() {
        cluster.pool("p", "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.9\"]}");
        cluster.pod("a", "u1", "p");
        var first = PoolAgentFixture.given(cluster.agent(), "a", "u1");

        var byAnotherAgent = PoolAgentFixture.given(agent, "a", "u1");
        var again = PoolAgentFixture.given(agent, "a", "u1");

        assertThat(byAnotherAgent).isEqualTo(first);
        assertThat(again).isEqualTo(first);
        assertThat(cluster.records("p")).contains("10.2.0.1").doesNotContain("10.2.0.2");
    }
}
