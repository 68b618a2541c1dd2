package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is told about pods and nodes, as a picture shows it.
class ClusterStateTest {

    private static final Name WEB = new Name("default", "web");
    private static final String KEY = PodDocument.key(WEB);

    private final ClusterState state = new ClusterState(ClusterSource.CALICO_AND_KUBERNETES, _ -> {});
    private long revision;

    @BeforeEach
    void nothingIsThere() {
        for (var subject : Subject.values()) {
            state.begin(subject);
            state.complete(subject);
        }
    }

    private Document document(String key, String json) {
        revision++;
        return new Document(key, Bytes.ofUtf8(json), revision);
    }

    private void told(Subject subject, Watch.Change change) {
        state.change(subject, new Watch.Notice.Changed(revision, List.of(change)));
    }

    private void pod(String address, String label) {
        told(Subject.PODS, new Watch.Change.Put(document(KEY, """
            {"metadata":{"namespace":"default","name":"web",\
            "labels":{"label":"%s"}},"spec":{"nodeName":"node-1"},\
            "status":{"podIP":"%s","podIPs":[{"ip":"%s"}]}}\
            """.formatted(label, address, address))));
    }

    private LiveOwners liveOwners() {
        return state.snapshot().orElseThrow().liveOwners();
    }

    private static Pod podWith(String address) {
        var addresses = List.of(Address.parse(address));
        return new Pod("node-1", LiveOwners.Phase.RUNNING, addresses, addresses);
    }

    @Test
    void eachPictureHasThePodsAsTheyWereThen() {
        pod("10.0.0.1", "old");
        var first = liveOwners();
        pod("10.0.0.2", "old");
        var second = liveOwners();
        told(Subject.PODS, new Watch.Change.Deleted(KEY, revision + 1));

        var third = liveOwners();

        assertThat(first.pods()).containsEntry(WEB, podWith("10.0.0.1"));
        assertThat(second.pods()).containsEntry(WEB, podWith("10.0.0.2"));
        assertThat(third.pods()).isEmpty();
    }

    @Test
    void aPodThatCannotBeReadAnyMoreIsUnknown() {
        pod("10.0.0.1", "old");
        var before = liveOwners();
        told(Subject.PODS, new Watch.Change.Put(document(KEY, "{\"status\":1}")));
        var unreadable = liveOwners();
        pod("10.0.0.1", "new");

        var after = liveOwners();

        assertThat(before.unknownPods()).isEmpty();
        assertThat(unreadable.pods()).isEmpty();
        assertThat(unreadable.unknownPods()).containsExactly(WEB);
        assertThat(after.pods()).containsEntry(WEB, podWith("10.0.0.1"));
        assertThat(after.unknownPods()).isEmpty();
    }

    @Test
    void aPodThatChangesInNothingThatMattersChangesNoPicture() {
        pod("10.0.0.1", "old");
        var before = liveOwners();
        pod("10.0.0.1", "new");

        var after = liveOwners();

        assertThat(after).isSameAs(before);
    }

    @Test
    void nodesThatComeAndGoAreSeen() {
        var key = NodeBook.NODES + "node-1";
        var before = liveOwners();
        told(Subject.KUBERNETES_NODES, new Watch.Change.Put(document(key, "{\"metadata\":{\"name\":\"node-1\"}}")));
        var there = liveOwners();
        told(Subject.KUBERNETES_NODES, new Watch.Change.Deleted(key, revision + 1));

        var after = liveOwners();

        assertThat(before.kubernetesNodes()).isEmpty();
        assertThat(there.kubernetesNodes()).containsExactly("node-1");
        assertThat(after.kubernetesNodes()).isEmpty();
    }
}
