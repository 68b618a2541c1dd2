package io.cadastre.engine.nodecidr.cloud;

import static io.cadastre.engine.nodecidr.NodeCidrFlags.forCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrReason.ServiceRangeUnread;
import io.cadastre.engine.nodecidr.cloud.CloudSetup.Follow;
import io.cadastre.engine.nodecidr.cloud.CloudSetup.Rejected;
import io.cadastre.engine.nodecidr.cloud.CloudSetup.SwitchedOff;
import io.cadastre.engine.nodecidr.cloud.CloudSetup.Sync;
import io.cadastre.engine.nodecidr.cloud.CloudSetup.WithoutCloud;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudSetupTest {

    @ParameterizedTest
    @ValueSource(strings = {"RangeAllocator", "", "bogus"})
    void otherTypesAreForOthersToRead(String type) {
        assertThat(CloudSetup.from(forCluster("10.1.0.0/16").withAllocatorType(type), "gce"))
                .isEqualTo(new WithoutCloud());
    }

    @ParameterizedTest
    @CsvSource({
        "CloudAllocator, ''",
        "CloudAllocator, external",
        "IPAMFromCluster, ''",
        "IPAMFromCloud, external",
    })
    void cloudTypeNeedsACloud(String type, String provider) {
        assertThat(CloudSetup.from(forCluster("bogus").withAllocatorType(type), provider))
                .isEqualTo(new Rejected(List.of(
                        "--cidr-allocator-type is set to '%s' but cloud provider is not configured".formatted(type))));
    }

    @Test
    void cloudTypesKnowOneCloud() {
        assertThat(CloudSetup.from(cloud("CloudAllocator", "10.1.0.0/16"), "vsphere"))
                .isEqualTo(new Rejected(List.of("cloudCIDRAllocator does not support vsphere provider")));
        assertThat(CloudSetup.from(cloud("IPAMFromCloud", "10.1.0.0/16"), "vsphere"))
                .isEqualTo(new Rejected(List.of("cloud IPAM controller does not support \"vsphere\" provider")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CloudAllocator", "IPAMFromCluster", "IPAMFromCloud"})
    void clusterCidrsAreReadThoughTheyMayNotBeUsed(String type) {
        assertThat(CloudSetup.from(cloud(type, ""), "gce"))
                .isEqualTo(new Rejected(List.of("invalid CIDR[0]: <nil> (invalid CIDR address: )")));
        assertThat(CloudSetup.from(cloud(type, "10.0.0.0/16,10.1.0.0/16"), "gce"))
                .isEqualTo(new Rejected(List.of("len of ClusterCIDRs==2 and they are not configured as dual stack"
                        + " (at least one from each IPFamily")));
        assertThat(CloudSetup.from(cloud(type, "10.0.0.0/16,fd00::/48").withMaskSize(24), "gce"))
                .isEqualTo(new Rejected(
                        List.of("usage of --node-cidr-mask-size is not allowed with dual-stack clusters")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CloudAllocator", "IPAMFromCluster", "IPAMFromCloud"})
    void threeServiceRangesAreRefusedFirst(String type) {
        var flags = cloud(type, "bogus").withServiceRange("a,b,c").withAllocation(false);

        assertThat(CloudSetup.from(flags, ""))
                .isEqualTo(new Rejected(List.of("--service-cluster-ip-range can not contain more than two entries")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CloudAllocator", "IPAMFromCluster", "IPAMFromCloud"})
    void switchedOffControllerNeedsNoCloud(String type) {
        assertThat(CloudSetup.from(cloud(type, "bogus").withAllocation(false), ""))
                .isEqualTo(new SwitchedOff());
    }

    @Test
    void blocksThatDoNotFitAreAcceptedForTheCloudAllocatorThatUsesNone() {
        var small = cloud("CloudAllocator", "10.0.0.0/24").withMaskSize(16);
        var big = cloud("CloudAllocator", "fd00::/40");

        assertThat(CloudSetup.from(small, "gce")).isEqualTo(new Follow());
        assertThat(CloudSetup.from(big, "gce")).isEqualTo(new Follow());
    }

    @Test
    void blocksMustFitForTheModesThatUseThem() {
        assertThat(CloudSetup.from(cloud("IPAMFromCluster", "10.0.0.0/24").withMaskSize(16), "gce"))
                .isEqualTo(new Rejected(List.of("Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be"
                        + " less than or equal to --node-cidr-mask-size configured for CIDR family")));
    }

    @Test
    void onlyTheFirstClusterCidrIsSynchronised() {
        var setup = (Sync) CloudSetup.from(
                cloud("IPAMFromCluster", "10.1.0.0/16,fd00::/48").withServiceRange("10.1.0.0/20"), "gce");

        assertThat(setup.mode()).isEqualTo(SyncMode.FROM_CLUSTER);
        assertThat(setup.config().clusters())
                .singleElement()
                .satisfies(cluster -> assertThat(cluster.whole()).hasToString("10.1.0.0/16"));
        assertThat(setup.config().serviceRanges()).hasSize(1);
        assertThat(setup.because()).containsExactly(new CloudReason.Discarded("fd00::/48"));
    }

    @Test
    void unreadableServiceRangeIsPassedOn() {
        var setup = (Sync) CloudSetup.from(cloud("IPAMFromCloud", "10.1.0.0/16").withServiceRange("bogus"), "gce");

        assertThat(setup.mode()).isEqualTo(SyncMode.FROM_CLOUD);
        assertThat(setup.because()).containsExactly(new ServiceRangeUnread("bogus"));
    }

    private static NodeCidrFlags cloud(String type, String clusterCidr) {
        return forCluster(clusterCidr).withAllocatorType(type);
    }
}
