package io.cadastre.cli.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the controller says of wrong flags of its node allocator, before it opens a store. Where
/// kube-controller-manager says something, it is the same word for word, by the ids of the scenarios.
final class NodeIpamFlagsTest {

    @TempDir
    private Path home;

    private Shell.Ended run(String... flags) {
        // No server answers there: whatever is read before the flags are checked fails otherwise.
        var shell = Shell.at(home).with("KUBECONFIG", home.resolve("missing").toString());
        var words = new ArrayList<>(List.of("controller", "--datastore=kubernetes", "--listen=127.0.0.1:0"));
        words.addAll(List.of(flags));
        return shell.run(words.toArray(String[]::new));
    }

    private void assertRejected(String sentence, String... flags) throws IOException {
        var ended = run(flags);

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        2, "", "cadastre: %s\nSee 'cadastre controller --help'.\n".formatted(sentence)));
        assertThat(Shell.at(home).files()).isEmpty();
    }

    @Test
    void nc32OneMaskForTwoFamilies() throws IOException {
        assertRejected(
                "usage of --node-cidr-mask-size is not allowed with dual-stack clusters",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16,fd00::/48",
                "--node-cidr-mask-size=24");
    }

    @Test
    void nc33BlankAfterTheComma() throws IOException {
        assertRejected(
                "' fd00::/48' is not a CIDR such as 10.79.0.0/16: invalid CIDR[1]: <nil> (invalid CIDR address: "
                        + " fd00::/48)",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16, fd00::/48");
    }

    @Test
    void nc33ClusterCidrIsRequired() throws IOException {
        assertRejected(
                "'' is not a CIDR such as 10.79.0.0/16: invalid CIDR[0]: <nil> (invalid CIDR address: )",
                "--allocate-node-cidrs");
    }

    @Test
    void nc34TwoOfOneFamily() throws IOException {
        assertRejected(
                "len of ClusterCIDRs==2 and they are not configured as dual stack (at least one from each IPFamily",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16,10.1.0.0/16");
    }

    @Test
    void nc35ThreeClusterCidrs() throws IOException {
        assertRejected(
                "length of clusterCIDRs is:3 more than max allowed of 2",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16,fd00::/48,10.1.0.0/16");
    }

    @Test
    void nc36MaskShorterThanTheCluster() throws IOException {
        assertRejected(
                "Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or equal to"
                        + " --node-cidr-mask-size configured for CIDR family",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/24",
                "--node-cidr-mask-size=16");
    }

    @Test
    void nc37TooManyIpv6Blocks() throws IOException {
        assertRejected(
                "New CIDR set failed; the node CIDR size is too big",
                "--allocate-node-cidrs",
                "--cluster-cidr=fd00::/40");
    }

    @Test
    void nc38SwitchedOffStillRefusesThreeServiceRanges() throws IOException {
        assertRejected(
                "--service-cluster-ip-range can not contain more than two entries",
                "--allocate-node-cidrs=false",
                "--service-cluster-ip-range=10.0.0.0/16,fd00::/108,10.1.0.0/16");
    }

    /// It goes on to the cluster, which is not there.
    @ParameterizedTest
    @ValueSource(strings = {"--allocate-node-cidrs=false", "--cidr-allocator-type=RangeAllocator"})
    void nc38SwitchedOffIgnoresNonsenseInTheOtherFlags(String off) {
        var ended = run(off, "--cluster-cidr=nonsense", "--node-cidr-mask-size=999");

        assertThat(ended.err()).contains("missing").doesNotContain("nonsense", "mask");
    }

    @Test
    void nc13ServiceRangeThatCannotBeReadIsAWarning() {
        var ended = run("--allocate-node-cidrs", "--cluster-cidr=10.0.0.0/16", "--service-cluster-ip-range=bogus");

        assertThat(ended.err())
                .contains("unsuccessful parsing of service CIDR 'bogus': nothing is kept free for it")
                .contains("missing");
    }

    @Test
    void masksOfBothKindsExcludeEachOther() throws IOException {
        assertRejected(
                "usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if"
                        + " --node-cidr-mask-size is set. For dual-stack clusters please unset it and use IPFamily"
                        + " specific flags",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--node-cidr-mask-size=24",
                "--node-cidr-mask-size-ipv4=24");
    }

    @Test
    void serviceRangesAreOfDifferentFamilies() throws IOException {
        assertRejected(
                "serviceCIDR and secondaryServiceCIDR are not dualstack (from different IPfamiles)",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--service-cluster-ip-range=10.96.0.0/16,10.97.0.0/16");
    }

    @Test
    void otherAllocatorTypesAreNotAvailable() throws IOException {
        assertRejected(
                "built-in cloud providers are disabled. The ipam Nonsense is not available",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--cidr-allocator-type=Nonsense");
    }

    @ParameterizedTest
    @CsvSource({
        "--concurrent-node-cidrs=0, --concurrent-node-cidrs 0",
        "--concurrent-node-cidrs=-1, --concurrent-node-cidrs -1",
        "--kube-api-qps=0, --kube-api-qps 0",
        "--kube-api-qps=-20, --kube-api-qps -20",
        "--kube-api-burst=0, --kube-api-burst 0"
    })
    void numbersBelowOneAreNotAllowed(String flag, String named) throws IOException {
        assertRejected(
                named + " is not allowed; give at least 1",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                flag);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--concurrent-node-cidrs=many",
                "--kube-api-qps=2.5",
                "--node-cidr-mask-size=99999999999",
                "--allocate-node-cidrs=perhaps"
            })
    void invalidValueOfAFlagIsWrongUsage(String flag) throws IOException {
        var ended = run("--cluster-cidr=10.0.0.0/16", flag);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains(flag.replaceFirst("=.*", ""), flag.replaceFirst(".*=", ""));
        assertThat(Shell.at(home).files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CloudAllocator", "IPAMFromCluster", "IPAMFromCloud"})
    void cloudAllocatorNeedsACloud(String type) throws IOException {
        assertRejected(
                "--cidr-allocator-type is set to '%s' but cloud provider is not configured".formatted(type),
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--cidr-allocator-type=" + type);
    }

    @Test
    void cloudAllocatorKnowsOneCloud() throws IOException {
        assertRejected(
                "cloudCIDRAllocator does not support aws provider",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--cidr-allocator-type=CloudAllocator",
                "--cloud-provider=aws");
    }

    @Test
    void cloudNeedsItsConfiguration() throws IOException {
        assertRejected(
                "--cloud-provider gce needs --cloud-config FILE",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--cidr-allocator-type=CloudAllocator",
                "--cloud-provider=gce");
    }

    @Test
    void fileOfTheCloudIsReadBeforeAnythingElse() {
        var file = home.resolve("gce.conf");

        var ended = run(
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16",
                "--cidr-allocator-type=CloudAllocator",
                "--cloud-provider=gce",
                "--cloud-config=" + file);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: --cloud-config: ").contains(file.toString());
    }

    @Test
    void flagOfTheRouteControllerIsAccepted() throws IOException {
        assertRejected(
                "--kube-api-qps 0 is not allowed; give at least 1",
                "--configure-cloud-routes=false",
                "--kube-api-qps=0");
    }

    @Test
    void embeddedStoreHasNoNodesOfAnApi() throws IOException {
        var ended = Shell.at(home).run("controller", "--allocate-node-cidrs", "--cluster-cidr=10.0.0.0/16");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        2,
                        "",
                        "cadastre: --allocate-node-cidrs assigns CIDRs to the Nodes of a Kubernetes API; give"
                                + " --datastore kubernetes, or without a cluster use 'cadastre node-cidr add'\n"
                                + "See 'cadastre controller --help'.\n"));
        assertThat(Shell.at(home).files()).isEmpty();
    }

    @Test
    void etcdWithoutAKubernetesApiHasNoNodesOfOne() throws IOException {
        var ended = Shell.at(home)
                .with("ETCD_ENDPOINTS", "http://127.0.0.1:1")
                .run("controller", "--datastore=etcdv3", "--allocate-node-cidrs", "--cluster-cidr=10.0.0.0/16");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: --allocate-node-cidrs needs the Nodes of a Kubernetes API:");
        assertThat(Shell.at(home).files()).isEmpty();
    }

    @Test
    void nodeAllocatorAloneNeedsItsSwitch() throws IOException {
        assertRejected(
                "no controller runs: node-ipam-controller needs --allocate-node-cidrs", "--controllers=nodeipam");
    }
}
