package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType.ClusterCidrs;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import io.cadastre.wire.pages.Metric;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The life of ClusterCIDRs while answers are lost and rights are missing.
@Timeout(180)
class ClusterCidrAllocatorTest {

    private static final String DEFAULT = "default-cluster-cidr";

    private final KubernetesCluster cluster = new KubernetesCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private RunningAllocator allocator(NodeCidrConfig... flags) {
        return cluster.waitingAllocator(new ClusterCidrs(ClusterCidrGroup.CUSTOM, List.of(), List.of(flags)), 30);
    }

    @Test
    void defaultOfTheFlagsIsCreatedAlthoughTheFirstAttemptWasNotAnswered() {
        cluster.addNode("a");
        var allocator = allocator(cluster("10.10.0.0/16"));
        allocator.view().loseCommits(ClusterCidrGroup.CUSTOM.keys(), 1);

        allocator.elect();

        cluster.awaitCidrs("a", "10.10.0.0/24");
        assertThat(cluster.clusterCidrs()).containsExactly(DEFAULT);
    }

    @Test
    void defaultOfTheFlagsThatIsDeletedStaysDeletedUntilTheNextTerm() {
        var allocator = allocator(cluster("10.10.0.0/16"));
        allocator.elect();
        cluster.awaitClusterCidrs(DEFAULT);
        allocator.awaitIdle();

        cluster.removeClusterCidr(DEFAULT);
        await().atMost(RunningAllocator.PATIENCE)
                .until(() -> allocator
                        .figure("node_ipam_controller_multicidrset_max_cidrs")
                        .isEmpty());
        cluster.addNode("a");
        cluster.awaitEvent("a", "CIDRNotAvailable");
        assertThat(cluster.clusterCidrs()).isEmpty();
        allocator.dismiss();
        allocator.elect();

        cluster.awaitClusterCidrs(DEFAULT);
        cluster.awaitCidrs("a", "10.10.0.0/24");
    }

    @Test
    void clusterCidrGivesNothingBeforeItsFinalizerIsWritten() {
        cluster.addNode("a");
        cluster.addNode("holder", "10.10.0.0/24");
        cluster.addClusterCidr("pool", "10.10.0.0/16");
        var allocator = allocator();
        allocator.view().denyCommits(ClusterCidrGroup.CUSTOM.keys(), true);
        allocator.elect();
        allocator.awaitReport("cannot write ClusterCIDR pool: ");
        assertThat(cluster.cidrs("a")).isEmpty();
        assertThat(cluster.events("a")).isEmpty();

        allocator.view().denyCommits(ClusterCidrGroup.CUSTOM.keys(), false);

        cluster.awaitCidrs("a", "10.10.1.0/24");
        assertThat(cluster.hasFinalizer("pool")).isTrue();
    }

    @Test
    void figuresHaveTheNamesOfTheReference() {
        cluster.addClusterCidr("pool", "10.10.0.0/16");
        var allocator = allocator();
        allocator.elect();
        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.0.0/24");
        allocator.awaitIdle();

        var figures = allocator.loop().figures();

        assertThat(figures)
                .extracting(Metric::name)
                .contains(
                        "node_ipam_controller_multicidrset_max_cidrs",
                        "node_ipam_controller_multicidrset_cidrs_allocations_total",
                        "node_ipam_controller_multicidrset_usage_cidrs",
                        "node_ipam_controller_multicidrset_allocation_tries_per_request",
                        "workqueue_depth",
                        "workqueue_adds_total");
        assertThat(figures.stream()
                        .filter(metric -> metric.name().equals("workqueue_adds_total"))
                        .flatMap(metric -> metric.samples().stream())
                        .map(sample -> sample.labels().toString()))
                .anyMatch(labels -> labels.contains("multi_cidr_range_allocator_node"))
                .anyMatch(labels -> labels.contains("multi_cidr_range_allocator_cidr"));
    }
}
