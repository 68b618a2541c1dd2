package io.cadastre.engine.nodecidr;

import static io.cadastre.engine.nodecidr.NodeCidrFlags.forCluster;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.NodeCidrReason.ServiceRangeUnread;
import io.cadastre.engine.nodecidr.NodeCidrSetup.Configured;
import io.cadastre.engine.nodecidr.NodeCidrSetup.Rejected;
import io.cadastre.engine.nodecidr.NodeCidrSetup.SwitchedOff;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeCidrSetupTest {

    static Stream<Arguments> maskSelection() {
        return CidrSetVectors.of("maskSelection");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("maskSelection")
    void masksAreSelectedByFamily(String id, JsonNode vector) {
        var cidrs = new ArrayList<Prefix>();
        vector.get("clusterCIDRs").forEach(cidr -> cidrs.add(Prefix.parse(cidr.textValue())));
        var flags = forCluster(cidrs.stream().map(Prefix::toString).collect(joining(",")))
                .withMaskSize(vector.get("maskSize").intValue())
                .withMaskSizes(
                        vector.get("maskSizeIPv4").intValue(),
                        vector.get("maskSizeIPv6").intValue());
        if (vector.has("error")) {
            assertThat(errors(flags)).as(id).containsExactly(vector.get("error").textValue());
            return;
        }

        // Some of the vectors have more blocks than a set may have, so they end here.
        var masks = FlagRules.masks(cidrs, flags);

        var expected = new ArrayList<Integer>();
        vector.get("masks").forEach(mask -> expected.add(mask.intValue()));
        assertThat(masks).as(id).isEqualTo(expected);
    }

    @Test
    @DisplayName("NC-13: an unreadable service range is reported and otherwise ignored")
    void nc13_unreadableServiceRangeIsReportedAndIgnored() {
        var flags = forCluster("10.244.0.0/16").withServiceRange("bogus");

        var setup = NodeCidrSetup.from(flags);

        assertThat(setup)
                .isEqualTo(new Configured(
                        new NodeCidrConfig(List.of(new Subdivision(Prefix.parse("10.244.0.0/16"), 24)), List.of()),
                        List.of(new ServiceRangeUnread("bogus"))));
    }

    @Test
    void aBlankBeforeTheSecondServiceRangeMakesItUnreadable() {
        var flags = forCluster("10.244.0.0/16").withServiceRange("10.0.0.0/20, fd00::/108");

        var setup = NodeCidrSetup.from(flags);

        assertThat(setup).isInstanceOf(Configured.class);
        assertThat(((Configured) setup).because()).containsExactly(new ServiceRangeUnread(" fd00::/108"));
    }

    @Test
    void anEmptyPrimaryServiceRangeLeavesTheSecondary() {
        var flags = forCluster("10.244.0.0/16").withServiceRange(",fd00::/108");

        var config = NodeCidrCluster.config(flags);

        assertThat(config.serviceRanges()).containsExactly(Prefix.parse("fd00::/108"));
    }

    @Test
    @DisplayName("NC-32: one mask for two families is refused")
    void nc32_oneMaskForTwoFamiliesIsRefused() {
        var flags = forCluster("10.0.0.0/16,fd00::/48").withMaskSize(24);

        assertThat(errors(flags))
                .containsExactly("usage of --node-cidr-mask-size is not allowed with dual-stack clusters");
    }

    @Test
    @DisplayName("NC-33: a blank after the comma belongs to the CIDR")
    void nc33_blankAfterTheCommaBelongsToTheCidr() {
        var flags = forCluster("10.0.0.0/16, fd00::/48");

        assertThat(errors(flags)).containsExactly("invalid CIDR[1]: <nil> (invalid CIDR address:  fd00::/48)");
    }

    @Test
    void blanksAroundTheWholeListAreDropped() {
        var config = NodeCidrCluster.config(forCluster("  10.0.0.0/16,fd00::/48 "));

        assertThat(config.clusters()).hasSize(2);
    }

    @Test
    void anEmptyClusterCidrIsOneUnreadableElement() {
        assertThat(errors(forCluster(""))).containsExactly("invalid CIDR[0]: <nil> (invalid CIDR address: )");
    }

    @Test
    @DisplayName("NC-34: two cluster CIDRs of one family are refused")
    void nc34_twoClusterCidrsOfOneFamilyAreRefused() {
        assertThat(errors(forCluster("10.0.0.0/16,10.1.0.0/16")))
                .containsExactly("len of ClusterCIDRs==2 and they are not configured as dual stack (at least"
                        + " one from each IPFamily");
    }

    @Test
    @DisplayName("NC-35: three cluster CIDRs are refused")
    void nc35_threeClusterCidrsAreRefused() {
        assertThat(errors(forCluster("10.0.0.0/16,fd00::/48,10.1.0.0/16")))
                .containsExactly("length of clusterCIDRs is:3 more than max allowed of 2");
    }

    @Test
    @DisplayName("NC-36: a cluster CIDR smaller than a node's is refused")
    void nc36_clusterCidrSmallerThanANodesIsRefused() {
        assertThat(errors(forCluster("10.0.0.0/24").withMaskSize(16)))
                .containsExactly("Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less"
                        + " than or equal to --node-cidr-mask-size configured for CIDR family");
    }

    @Test
    @DisplayName("NC-37: an IPv6 cluster CIDR with too many blocks is refused")
    void nc37_ipv6ClusterCidrWithTooManyBlocksIsRefused() {
        assertThat(errors(forCluster("fd00::/40")))
                .containsExactly("New CIDR set failed; the node CIDR size is too big");
        assertThat(errors(forCluster("::/0").withMaskSize(128)))
                .containsExactly("New CIDR set failed; the node CIDR size is too big");
    }

    @Test
    @DisplayName("NC-38: switched off, nonsense in other flags is ignored, but for three service ranges")
    void nc38_switchedOffNonsenseIsIgnored() {
        var nonsense = forCluster("nonsense")
                .withServiceRange("nonsense")
                .withMaskSize(-7)
                .withMaskSizes(99, 999)
                .withAllocatorType("nonsense")
                .withAllocation(false);

        assertThat(NodeCidrSetup.from(nonsense)).isEqualTo(new SwitchedOff());
        assertThat(errors(nonsense.withServiceRange("a,b,c")))
                .containsExactly("--service-cluster-ip-range can not contain more than two entries");
    }

    @Test
    void brokenRulesAboutOptionsAreReportedTogether() {
        var flags = forCluster("nonsense").withServiceRange("a,b,c").withAllocatorType("CloudAllocator");

        assertThat(errors(flags))
                .containsExactly(
                        "--service-cluster-ip-range can not contain more than two entries",
                        "built-in cloud providers are disabled. The ipam CloudAllocator is not" + " available");
    }

    @Test
    void anEmptyAllocatorTypeIsInvalidAfterTheMasks() {
        var flags = forCluster("10.0.0.0/16").withAllocatorType("");

        assertThat(errors(flags)).containsExactly("invalid CIDR allocator type: ");
        assertThat(errors(flags.withMaskSize(8)))
                .singleElement()
                .asString()
                .startsWith("Controller: Invalid --cluster-cidr");
    }

    @Test
    void serviceRangesOfOneFamilyAreRefused() {
        var flags = forCluster("10.0.0.0/16").withServiceRange("10.1.0.0/20,10.2.0.0/20");

        assertThat(errors(flags))
                .containsExactly(
                        "serviceCIDR and secondaryServiceCIDR are not dualstack (from different" + " IPfamiles)");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/16, 33, node CIDR mask size 33 is out of range: an IPv4 prefix length is from 0" + " to 32",
        "10.0.0.0/16, -1, node CIDR mask size -1 is out of range: an IPv4 prefix length is from 0" + " to 32",
        "fd00::/112, 129, node CIDR mask size 129 is out of range: an IPv6 prefix length is from 0" + " to 128",
    })
    void aMaskThatIsNotAPrefixLengthIsRefused(String cluster, int mask, String error) {
        assertThat(errors(forCluster(cluster).withMaskSize(mask))).containsExactly(error);
    }

    @Test
    void anIpv4ClusterOfMoreThan2To24BlocksIsRefused() {
        assertThat(errors(forCluster("10.0.0.0/7").withMaskSize(32)))
                .containsExactly("10.0.0.0/7 has more than 2^24 node CIDRs of /32");
    }

    @ParameterizedTest
    @ValueSource(strings = {"::ffff:10.0.0.0/104", "10.0.0.0/8,::ffff:11.0.0.0/104"})
    void anIpv4MappedClusterCidrIsRefused(String cluster) {
        assertThat(errors(forCluster(cluster)))
                .singleElement()
                .asString()
                .endsWith("is an IPv4-mapped IPv6 CIDR; write the IPv4 CIDR it stands for");
    }

    @Test
    void leadingZerosAndHostBitsOfAClusterCidrAreDropped() {
        var config = NodeCidrCluster.config(forCluster("010.244.3.0/16"));

        assertThat(config.clusters()).containsExactly(new Subdivision(Prefix.parse("10.244.0.0/16"), 24));
    }

    @Test
    void equalMasksGiveOneBlock() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/24").withMaskSize(24));

        assertThat(cluster.given("a")).containsExactly("10.10.0.0/24");
        assertThat(cluster.add("b").outcome()).isInstanceOf(NodeCidrAssignment.Refused.class);
    }

    private static List<String> errors(NodeCidrFlags flags) {
        return switch (NodeCidrSetup.from(flags)) {
            case Rejected(var errors) -> errors;
            case NodeCidrSetup other -> throw new AssertionError("not rejected: " + other);
        };
    }
}
