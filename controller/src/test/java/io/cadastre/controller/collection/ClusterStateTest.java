package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the watches report about pods and nodes, as a snapshot shows it.
class ClusterStateTest {

    private static final Name WEB = new Name("default", "web");
    private static final String KEY = PodDocument.key("default", "web");

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

    @Test
    void nodeWhoseStatusOrCidrChangesIsLookedAtNoMore() {
        var triggers = new ArrayList<SweepTrigger>();
        var cluster = new ClusterState(ClusterSource.KUBERNETES, triggers::add);
        for (var subject : ClusterSource.KUBERNETES.followed()) {
            cluster.begin(subject);
            cluster.complete(subject);
        }
        kubelet(cluster, "a", "");
        var known = cluster.snapshot().orElseThrow();
        triggers.clear();

        kubelet(cluster, "a", "\"spec\":{\"podCIDRs\":[\"10.0.0.0/24\"]},");
        kubelet(cluster, "a", "\"status\":{\"images\":[]},");
        var triggersOfKubelets = List.copyOf(triggers);
        var unchanged = cluster.snapshot().orElseThrow();
        kubelet(cluster, "b", "");
        var relabelled = cluster.snapshot().orElseThrow();

        assertThat(triggersOfKubelets).isEmpty();
        assertThat(unchanged).isSameAs(known);
        assertThat(triggers).containsExactly(SweepTrigger.CHANGED);
        assertThat(relabelled.view().findNode("node-1").orElseThrow().labels()).containsEntry("zone", "b");
    }

    private void kubelet(ClusterState cluster, String zone, String more) {
        var node = document(NodeBook.NODES + "node-1", """
            {"apiVersion":"v1","kind":"Node",%s"metadata":{"name":"node-1","labels":{"zone":"%s"}}}\
            """.formatted(more, zone));
        var change = new Watch.Change.Put(node);
        cluster.change(Subject.KUBERNETES_NODES, new Watch.Notice.Changed(revision, List.of(change)));
    }

    @Test
    void whereKubernetesIsTheStoreItsNodesAreCalicos() {
        var cluster = new ClusterState(ClusterSource.KUBERNETES, _ -> {});
        for (var subject : ClusterSource.KUBERNETES.followed()) {
            cluster.begin(subject);
            if (subject == Subject.KUBERNETES_NODES) {
                cluster.fill(
                        subject,
                        List.of(
                                document(NodeBook.NODES + "good", """
                                    {"apiVersion":"v1","kind":"Node","metadata":{"name":"good","labels":{"zone":"a"},\
                                    "annotations":{"projectcalico.org/IPv4VXLANTunnelAddr":"10.0.0.9",\
                                    "projectcalico.org/labels":"{\\"rack\\":\\"7\\"}"}},"status":{"images":[{"sizeBytes":1}]}}\
                                    """),
                                document(
                                        NodeBook.NODES + "odd",
                                        "{\"metadata\":{\"name\":\"odd\",\"labels\":{\"zone\":1}}}"),
                                document(NodeBook.NODES + "torn", "{\"metadata\":")));
            }
            cluster.complete(subject);
        }

        var snapshot = cluster.snapshot().orElseThrow();

        assertThat(snapshot.nodes()).isEqualTo(new TreeMap<>(Map.of("good", "good", "odd", "", "torn", "")));
        assertThat(snapshot.view().findNode("good"))
                .contains(new Node(
                        "good",
                        new TreeMap<>(Map.of("zone", "a", "rack", "7")),
                        "good",
                        List.of(Address.parse("10.0.0.9"))));
        assertThat(snapshot.liveOwners().kubernetesNodes()).containsExactly("good", "odd", "torn");
    }

    @Test
    void allThatIsKeptOfAPodIsRead() {
        told(Subject.PODS, new Watch.Change.Put(document(KEY, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default","annotations":{"other":"x",\
            "cni.projectcalico.org/podIP":"10.0.0.2/32","cni.projectcalico.org/podIPs":"10.0.0.2/32,10.0.0.3",\
            "k8s.v1.cni.cncf.io/network-status":"[{\\"ips\\":[\\"10.0.0.4\\"]}]"}},\
            "spec":{"containers":[{"name":"main"}],"nodeName":"node-1"},\
            "status":{"phase":"Failed","reason":"Evicted","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]}}\
            """)));

        assertThat(liveOwners().pods())
                .containsExactlyEntriesOf(Map.of(
                        WEB,
                        new Pod(
                                "node-1",
                                LiveOwners.Phase.EVICTED,
                                List.of(Address.parse("10.0.0.1")),
                                Stream.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4")
                                        .map(Address::parse)
                                        .toList())));
    }
}
