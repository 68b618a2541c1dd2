package io.cadastre.engine.nodecidr.clusterpool;

import static io.cadastre.engine.nodecidr.clusterpool.ClusterPoolCluster.family;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFlags.OfFamily;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolSetup.Rejected;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterPoolSetupTest {

    private static final OfFamily GOOD = family(24, "10.0.0.0/8");

    static Stream<Arguments> rejected() {
        return Stream.of(
                Arguments.of(
                        new OfFamily(true, List.of(), 24),
                        OfFamily.DISABLED,
                        "cluster-pool-ipv4-cidr must be provided when using ClusterPool"),
                Arguments.of(
                        new OfFamily(false, List.of("10.0.0.0/8"), 24),
                        OfFamily.DISABLED,
                        "cluster-pool-ipv4-cidr must not be set if IPv4 is disabled"),
                Arguments.of(
                        GOOD,
                        new OfFamily(false, List.of("fd00::/104"), 120),
                        "cluster-pool-ipv6-cidr must not be set if IPv6 is disabled"),
                Arguments.of(
                        family(24, "10.0.0.0"),
                        OfFamily.DISABLED,
                        "unable to initialize IPv4 allocator: invalid CIDR address: 10.0.0.0"),
                Arguments.of(
                        family(24, "fd00::/104"),
                        OfFamily.DISABLED,
                        "unable to initialize IPv4 allocator: CIDR is not v4 family: fd00::/104"),
                Arguments.of(
                        family(24, "10.0.0.0/8", "10.1.0.0/16"),
                        OfFamily.DISABLED,
                        "unable to initialize IPv4 allocator: requested CIDR 10.1.0.0/16 collides with clusterCIDR:"
                                + " 10.0.0.0/8, nodeMask: 24"),
                Arguments.of(
                        GOOD,
                        family(120, "10.0.0.0/8"),
                        "unable to initialize IPv6 allocator: CIDR is not v6 family: 10.0.0.0/8"),
                Arguments.of(
                        GOOD,
                        family(129, "fd00::/104"),
                        "unable to initialize IPv6 allocator: SubNetMask is invalid, should be lower or equal to 32 for"
                                + " IPv4 and to 128 for IPv6"),
                Arguments.of(
                        GOOD,
                        family(128, "fd00::/104"),
                        "unable to initialize IPv6 allocator: New CIDR set failed; the node CIDR size is too big"));
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void optionsThatBreakARuleAreRejectedInTheWordsOfUpstream(OfFamily ipv4, OfFamily ipv6, String error) {
        assertThat(ClusterPoolSetup.from(new ClusterPoolFlags(ipv4, ipv6))).isEqualTo(new Rejected(error));
    }

    @Test
    void aMaskShorterThanTheCidrGivesNothingFromTheStart() {
        var cluster = ClusterPoolCluster.ipv4(8, "10.0.0.0/16").synced();

        cluster.edit("a");
        cluster.edit("b", "10.0.0.0/24");

        assertThat(cluster.error("a")).isEqualTo("allocator full");
        assertThat(cluster.error("b")).isEqualTo("allocator clusterCIDR: 10.0.0.0/16, nodeMask: 8 full");
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.0.0/24");
    }
}
