package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.cluster;
import static io.cadastre.controller.nodecidr.KnownNodes.config;
import static io.cadastre.controller.nodecidr.KnownNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.controller.nodecidr.CidrLaw.Offer;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The law of RangeAllocator during one term, and what is counted of it.
class RangeLawTest {

    private static final String ALLOCATIONS = "node_ipam_controller_cidrset_cidrs_allocations_total";
    private static final String RELEASES = "node_ipam_controller_cidrset_cidrs_releases_total";
    private static final String MAX = "node_ipam_controller_cirdset_max_cidrs";
    private static final String USAGE = "node_ipam_controller_cidrset_usage_cidrs";
    private static final String TRIES = "node_ipam_controller_cidrset_allocation_tries_per_request";

    private static final String LABEL = "clusterCIDR";
    private static final String IPV4 = "10.244.0.0/16";

    private static Metric figure(RangeLaw law, String name) {
        return law.figures().stream()
                .filter(metric -> metric.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name));
    }

    private static List<Sample> samples(RangeLaw law, String name) {
        return figure(law, name).samples();
    }

    private static Sample sample(double value) {
        return Sample.of(value, LABEL, IPV4);
    }

    private static List<Sample> histogram(String cluster, double sum, long... buckets) {
        var limits = List.of("1", "5", "25", "125", "625", "+Inf");
        var all = Stream.iterate(0, index -> index < limits.size(), index -> index + 1)
                .map(index -> new Sample("_bucket", buckets[index], List.of(LABEL, cluster, "le", limits.get(index))));
        var rest = Stream.of(
                new Sample("_sum", sum, List.of(LABEL, cluster)),
                new Sample("_count", buckets[buckets.length - 1], List.of(LABEL, cluster)));
        return Stream.concat(all, rest).toList();
    }

    private static List<String> offered(RangeLaw law, String name) {
        return law.offer(node(name, 1)) instanceof Offer.Chosen chosen
                ? chosen.cidrs().stream().map(Prefix::toString).toList()
                : List.of();
    }

    @Test
    void seriesOfANewTermSaysOnlyHowManyBlocksThereAre() {
        var law = new RangeLaw(cluster(IPV4), List.of());

        assertThat(law.figures()).extracting(Metric::name).containsExactly(ALLOCATIONS, RELEASES, MAX, USAGE, TRIES);
        assertThat(law.figures())
                .extracting(Metric::type)
                .containsExactly(
                        Metric.Type.COUNTER,
                        Metric.Type.COUNTER,
                        Metric.Type.GAUGE,
                        Metric.Type.GAUGE,
                        Metric.Type.HISTOGRAM);
        assertThat(samples(law, MAX)).containsExactly(sample(256));
        assertThat(List.of(ALLOCATIONS, RELEASES, USAGE, TRIES))
                .allSatisfy(name -> assertThat(samples(law, name)).isEmpty());
    }

    @Test
    void nc40SeriesAfterThreeNodesAndAppearanceOfReleasesWithTheFirst() {
        var law = new RangeLaw(cluster(IPV4), List.of());
        assertThat(offered(law, "a")).containsExactly("10.244.0.0/24");
        assertThat(offered(law, "b")).containsExactly("10.244.1.0/24");
        assertThat(offered(law, "c")).containsExactly("10.244.2.0/24");

        assertThat(samples(law, ALLOCATIONS)).containsExactly(sample(3));
        assertThat(samples(law, RELEASES)).isEmpty();
        assertThat(samples(law, MAX)).containsExactly(sample(256));
        assertThat(samples(law, USAGE)).containsExactly(sample(3 / 256.0));
        assertThat(samples(law, TRIES)).isEqualTo(histogram(IPV4, 0, 3, 3, 3, 3, 3, 3));

        law.gone("b");
        assertThat(samples(law, RELEASES)).containsExactly(sample(1));
        assertThat(samples(law, USAGE)).containsExactly(sample(2 / 256.0));
    }

    @Test
    void nodesFromBeforeTheTermCountAsAllocations() {
        var law = new RangeLaw(cluster(IPV4), List.of(node("a", 1, "10.244.9.0/24"), node("old", 2, "10.244.0.0/22")));

        assertThat(samples(law, ALLOCATIONS)).containsExactly(sample(5));
        assertThat(samples(law, USAGE)).containsExactly(sample(5 / 256.0));
        assertThat(samples(law, TRIES)).isEmpty();
        assertThat(offered(law, "next")).containsExactly("10.244.4.0/24");
        assertThat(samples(law, TRIES)).isEqualTo(histogram(IPV4, 4, 0, 1, 1, 1, 1, 1));
    }

    @Test
    void blocksOfServiceRangesCountAsAllocations() {
        var law = new RangeLaw(
                config(NodeCidrFlags.forCluster("10.0.0.0/16").withServiceRange("10.0.0.0/20")), List.of());

        assertThat(samples(law, ALLOCATIONS)).containsExactly(Sample.of(16, LABEL, "10.0.0.0/16"));
        assertThat(offered(law, "a")).containsExactly("10.0.16.0/24");
    }

    @Test
    void dualStackHasTwoSeriesOfEach() {
        var ipv6 = "fd00:10:244::/56";
        var law = new RangeLaw(cluster(IPV4 + "," + ipv6), List.of());

        assertThat(offered(law, "a")).containsExactly("10.244.0.0/24", "fd00:10:244::/64");

        assertThat(samples(law, MAX)).containsExactly(sample(256), Sample.of(256, LABEL, ipv6));
        assertThat(samples(law, ALLOCATIONS)).containsExactly(sample(1), Sample.of(1, LABEL, ipv6));
        assertThat(samples(law, TRIES)).hasSize(16).containsAll(histogram(ipv6, 0, 1, 1, 1, 1, 1, 1));
    }

    @Test
    void nc17FamilyWithFreeBlocksLosesNoneWhileTheOtherIsExhausted() {
        var config = config(NodeCidrFlags.forCluster("10.244.0.0/16,fd00::/64").withMaskSizes(24, 64));
        var law = new RangeLaw(config, List.of(node("only", 1, "10.244.0.0/24", "fd00::/64")));

        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(law.offer(node("b", 2)))
                    .isEqualTo(new Offer.Exhausted("failed to allocate cidr from cluster cidr at idx:1: CIDR allocation"
                            + " failed; there are no remaining CIDRs left to allocate in the accepted range"));
        }

        assertThat(law.usedCount()).isEqualTo(2);
        assertThat(samples(law, ALLOCATIONS)).containsExactly(sample(1), Sample.of(1, LABEL, "fd00::/64"));
        assertThat(samples(law, TRIES)).isEmpty();
    }

    @Test
    void nodeThatHasOtherCidrsThanItWasOfferedCountsOneReleaseAndOneAllocation() {
        var law = new RangeLaw(cluster(IPV4), List.of());
        var _ = offered(law, "a");

        assertThat(law.seen(node("a", 2, "10.244.5.0/24"))).isEmpty();

        assertThat(samples(law, ALLOCATIONS)).containsExactly(sample(2));
        assertThat(samples(law, RELEASES)).containsExactly(sample(1));
    }

    @Test
    void nodeThatIsSeenAgainAsItIsCountsNothing() {
        var law = new RangeLaw(cluster(IPV4), List.of());
        var _ = offered(law, "a");

        for (int revision = 2; revision < 10; revision++) {
            assertThat(law.seen(node("a", revision, "10.244.0.0/24"))).isEmpty();
        }

        assertThat(samples(law, ALLOCATIONS)).containsExactly(sample(1));
        assertThat(samples(law, RELEASES)).isEmpty();
    }

    @Test
    void heldBlocksAreKeptFromNodesUntilTheirHolderIsGone() {
        var law = new RangeLaw(cluster("10.244.0.0/23"), List.of());

        law.hold("late write", List.of(Prefix.parse("10.244.0.0/24")));
        assertThat(offered(law, "b")).containsExactly("10.244.1.0/24");
        assertThat(offered(law, "c")).isEmpty();
        law.gone("late write");

        assertThat(offered(law, "c")).containsExactly("10.244.0.0/24");
    }

    /// Unlike upstream, which marks it free.
    @Test
    void nc31BlockThatTwoNodesShareIsUsedUntilBothAreGone() {
        var law = new RangeLaw(
                cluster("10.244.7.0/24"), List.of(node("a", 1, "10.244.7.0/25"), node("b", 2, "10.244.7.128/25")));

        law.gone("a");
        assertThat(offered(law, "c")).isEmpty();
        law.gone("b");

        assertThat(offered(law, "c")).containsExactly("10.244.7.0/24");
    }

    @Test
    void nodeThatHoldsWhatAnotherHoldsIsReportedWhenItAppears() {
        var law = new RangeLaw(cluster(IPV4), List.of(node("a", 1, "10.244.5.0/24")));

        assertThat(law.seen(node("other", 2, "10.244.6.0/24"))).isEmpty();
        assertThat(law.seen(node("b", 3, "10.244.5.128/25")))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("node/a", "node/b", "10.244.5."));
        assertThat(law.seen(node("b", 4, "10.244.5.128/25"))).isEmpty();
    }

    @Test
    void nodeThatLosesOneTwinAndGetsAnotherIsReported() {
        var law = new RangeLaw(
                cluster(IPV4),
                List.of(node("a", 1, "10.244.5.0/24"), node("b", 2, "10.244.6.0/24"), node("c", 3, "10.244.5.0/24")));

        assertThat(law.seen(node("c", 4, "10.244.6.0/24")))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("node/b", "node/c"));
    }

    @Test
    void nc14CidrOfAnotherRangeIsAFaultAtTheStart() {
        var law = new RangeLaw(cluster("10.10.0.0/16"), List.of(node("bad", 1, "172.10.0.0/24")));

        assertThat(law.fault())
                .contains("failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for node: bad:"
                        + " cidr 172.10.0.0/24 is out the range of cluster cidr 10.10.0.0/16");
        assertThat(law.misfit(node("bad", 1, "172.10.0.0/24"))).isEqualTo(law.fault());
        assertThat(law.misfit(node("good", 1))).isEmpty();
    }

    @Test
    void nc16MoreCidrsThanClustersIsAFaultAtTheStart() {
        var law = new RangeLaw(cluster("10.10.0.0/16"), List.of(node("dual", 1, "10.10.0.0/24", "a00::/86")));

        assertThat(law.fault())
                .contains("node:dual has an allocated cidr: a00::/86 at index:1 that does not exist in cluster cidrs"
                        + " configuration");
    }

    @Test
    void unreadableCidrIsAFaultAtTheStart() {
        var law = new RangeLaw(cluster("10.10.0.0/16"), List.of(node("bad", 1, "bogus")));

        assertThat(law.fault()).contains("failed to parse node bad, CIDR bogus");
    }

    @Test
    void nodesThatFitAreAccepted() {
        assertThat(new RangeLaw(cluster("10.10.0.0/16,fd00::/48"), List.of(node("single", 1, "10.10.0.0/24"))).fault())
                .isEmpty();
    }
}
