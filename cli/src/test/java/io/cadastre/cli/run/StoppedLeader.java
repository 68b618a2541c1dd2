package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.Datastore;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// Two controllers, of which the one that leads is stopped and goes on when the other has taken over.
public final class StoppedLeader {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private StoppedLeader() {}

    static void releasesNothingWhenItResumes(ControllerProcesses controllers, Shell shell, Datastore store)
            throws Exception {
        var cluster = settle(shell, store);
        cluster.report("living", cluster.give("living"));
        var first = controllers.start(shell, "a", "1s");
        first.awaitErr("a leads");
        var second = controllers.start(shell, "b", "1s");
        second.awaitErr("waiting: a leads");
        cluster.give("gone-1");
        await().atMost(PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));

        IntStream.range(2, 12).forEach(number -> cluster.give("gone-" + number));
        first.suspend();
        second.awaitErr("b leads");
        await().atMost(PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));
        for (int number = 0; number < 10; number++) {
            cluster.report("new-" + number, cluster.give("new-" + number));
        }
        first.resume();
        first.awaitErr("a no longer leads");
        first.awaitErr("waiting: b leads");
        var held = cluster.handles();
        second.terminate();
        var ended = second.end();
        await().atMost(PATIENCE).until(() -> cluster.lease().contains("\"holderIdentity\":\"a\""));
        cluster.give("gone-12");
        await().atMost(PATIENCE).until(() -> !cluster.handles().contains("net.gone-12"));

        assertThat(held).hasSize(11);
        assertThat(cluster.handles()).isEqualTo(held);
        assertThat(ended.exitCode()).isIn(0, 143);
        assertThat(ended.err()).contains("cadastre: stopping");
    }

    public static OneNodeCluster settle(Shell shell, Datastore store) {
        var ended = shell.runPiping("""
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.244.0.0/16, blockSize: 26}
            ---
            apiVersion: projectcalico.org/v3
            kind: Node
            metadata: {name: node-1}
            spec: {orchRefs: [{orchestrator: k8s, nodeName: node-1}]}
            """, "apply", "-f", "-");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        var cluster = new OneNodeCluster(store);
        cluster.addNode();
        return cluster;
    }
}
