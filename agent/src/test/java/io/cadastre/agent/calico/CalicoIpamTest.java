package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.agent.AgentException;
import io.cadastre.agent.calico.LossyStore.Mood;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniVerb;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What calico-ipam does when its store fails.
class CalicoIpamTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private final MemoryDatastore memory = new MemoryDatastore();
    private final LossyStore store = new LossyStore(memory);
    private final CalicoIpamNode cluster = CalicoIpamNode.on(store).withPool("four", "10.0.0.0/24", 26);

    @AfterEach
    void close() {
        cluster.close();
        memory.close();
    }

    @Test
    void itsNodeIsMadeAndOneThatIsThereIsLeftAlone() {
        var key = new CalicoKey.OfNode("node-1").text();
        var made = memory.get(key).orElseThrow();

        try (var _ = CalicoIpamNode.on(store)) {
            assertThat(memory.get(key)).contains(made);
        }

        assertThat(made.value().utf8()).contains("\"kind\":\"Node\"");
    }

    @Test
    void nodeThatTheStoreDoesNotTakeEndsInASentenceWithTheRemedy() {
        store.become(Mood.REFUSES);

        assertThatThrownBy(() -> CalicoIpamNode.openOn(store, "unknown"))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("Node 'unknown' does not exist")
                .hasMessageContaining("--node");
        assertThatThrownBy(() -> CalicoIpamNode.openOn(store, "a/b"))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("'a/b' is not a valid node name");
    }

    @Test
    void aStoreThatIsAwayIsToBeTriedAgain() {
        store.become(Mood.AWAY);
        var pod = cluster.pod("c1");

        var added = pod.failure(CniVerb.ADD);
        var deleted = pod.failure(CniVerb.DEL);

        assertThat(added.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(added.sentence()).contains("cut off on purpose");
        assertThat(deleted.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        store.become(Mood.WELL);
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void withoutAStoreThePluginIsNotAvailable() {
        assertThat(cluster.pod("c1").answer(CniVerb.STATUS).exitCode()).isZero();

        store.become(Mood.AWAY);

        assertThat(cluster.pod("c1").failure(CniVerb.STATUS).is(CniCode.PLUGIN_NOT_AVAILABLE))
                .isTrue();
    }

    @Test
    void anAddWhoseFateIsUnknownIsFoundByTheNext() {
        cluster.pod("c0").add();
        store.become(Mood.LOSES_ONE_ANSWER);

        var lost = cluster.pod("c1").failure(CniVerb.ADD);
        store.become(Mood.WELL);
        var held = cluster.heldAddresses();
        var again = cluster.pod("c1").addresses();

        assertThat(lost.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(held).hasSize(2);
        assertThat(cluster.heldAddresses()).isEqualTo(held);
        assertThat(again)
                .singleElement()
                .isIn(held.stream().map(ip -> ip + "/26").toList());
    }

    @Test
    void anAddWhoseFateIsUnknownIsTakenBackByTheDel() {
        store.become(Mood.LOSES_ONE_ANSWER);
        cluster.pod("c1").failure(CniVerb.ADD);
        store.become(Mood.WELL);

        cluster.pod("c1").del();

        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    @Test
    void aDelWhoseFateIsUnknownCanBeRepeated() {
        cluster.pod("c1").add();
        store.become(Mood.LOSES_ONE_ANSWER);

        var lost = cluster.pod("c1").failure(CniVerb.DEL);
        store.become(Mood.WELL);
        cluster.pod("c1").del();

        assertThat(lost.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void aStoreThatComesBackIsWatchedAgain() {
        store.become(Mood.AWAY);
        cluster.pod("c1").failure(CniVerb.ADD);
        store.become(Mood.WELL);

        await().atMost(AMPLE).until(() -> cluster.pod("c1").answer(CniVerb.ADD).exitCode() == 0);

        assertThat(cluster.held()).hasSize(1);
    }
}
