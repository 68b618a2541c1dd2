package io.cadastre.cli.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What kube-controller-manager says about its flags, word for word, by the ids of the scenarios.
final class FlagConformanceTest {

    @TempDir
    private Path home;

    @Test
    void nc32OneMaskForTwoFamilies() throws IOException {
        assertRejected(
                "usage of --node-cidr-mask-size is not allowed with dual-stack clusters",
                "--cluster-cidr=10.0.0.0/16,fd00::/48",
                "--node-cidr-mask-size=24");
    }

    @Test
    void nc33BlankAfterTheComma() throws IOException {
        assertRejected(
                "' fd00::/48' is not a CIDR such as 10.79.0.0/16: invalid CIDR[1]: <nil> (invalid"
                        + " CIDR address:  fd00::/48)",
                "--cluster-cidr=10.0.0.0/16, fd00::/48");
    }

    @Test
    void nc34TwoOfOneFamily() throws IOException {
        assertRejected(
                "len of ClusterCIDRs==2 and they are not configured as dual stack (at least one"
                        + " from each IPFamily",
                "--cluster-cidr=10.0.0.0/16,10.1.0.0/16");
    }

    @Test
    void nc35ThreeClusterCidrs() throws IOException {
        assertRejected(
                "length of clusterCIDRs is:3 more than max allowed of 2",
                "--cluster-cidr=10.0.0.0/16,fd00::/48,10.1.0.0/16");
    }

    @Test
    void nc36MaskShorterThanTheCluster() throws IOException {
        assertRejected(
                "Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or"
                        + " equal to --node-cidr-mask-size configured for CIDR family",
                "--cluster-cidr=10.0.0.0/24",
                "--node-cidr-mask-size=16");
    }

    @Test
    void nc37TooManyIpv6Blocks() throws IOException {
        assertRejected("New CIDR set failed; the node CIDR size is too big", "--cluster-cidr=fd00::/40");
    }

    @Test
    void nc38SwitchedOffIgnoresNonsenseInTheOtherFlags() throws IOException {
        var shell = Shell.at(home);

        var ended = shell.run(
                "node-cidr",
                "add",
                "a",
                "--allocate-node-cidrs=false",
                "--cluster-cidr=nonsense",
                "--node-cidr-mask-size=999");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        3, "", "cadastre: a: no CIDR is assigned, since --allocate-node-cidrs is false\n"));
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void nc38SwitchedOffStillRefusesThreeServiceRanges() throws IOException {
        assertRejected(
                "--service-cluster-ip-range can not contain more than two entries",
                "--allocate-node-cidrs=false",
                "--service-cluster-ip-range=10.0.0.0/16,fd00::/108,10.1.0.0/16");
    }

    @Test
    void otherAllocatorTypesAreNotAvailable() throws IOException {
        assertRejected(
                "built-in cloud providers are disabled. The ipam CloudAllocator is not available",
                "--cluster-cidr=10.0.0.0/16",
                "--cidr-allocator-type=CloudAllocator");
    }

    @Test
    void masksOfBothKindsExcludeEachOther() throws IOException {
        assertRejected(
                "usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed"
                        + " if --node-cidr-mask-size is set. For dual-stack clusters please unset it"
                        + " and use IPFamily specific flags",
                "--cluster-cidr=10.0.0.0/16",
                "--node-cidr-mask-size=24",
                "--node-cidr-mask-size-ipv4=24");
    }

    @Test
    void maskOfTheOtherFamilyIsNotAllowed() throws IOException {
        assertRejected(
                "usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4" + " cluster",
                "--cluster-cidr=10.0.0.0/16",
                "--node-cidr-mask-size-ipv6=64");
        assertRejected(
                "usage of --node-cidr-mask-size-ipv4 is not allowed for a single-stack IPv6" + " cluster",
                "--cluster-cidr=fd00::/56",
                "--node-cidr-mask-size-ipv4=24");
    }

    @Test
    void serviceRangesAreOfDifferentFamilies() throws IOException {
        assertRejected(
                "serviceCIDR and secondaryServiceCIDR are not dualstack (from different IPfamiles)",
                "--cluster-cidr=10.0.0.0/16",
                "--service-cluster-ip-range=10.96.0.0/16,10.97.0.0/16");
    }

    private void assertRejected(String sentence, String... flags) throws IOException {
        var shell = Shell.at(home);

        var ended = shell.run(Stream.concat(Stream.of("node-cidr", "add", "a"), Stream.of(flags))
                .toArray(String[]::new));

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        2, "", "cadastre: %s\nSee 'cadastre node-cidr add --help'.\n".formatted(sentence)));
        assertThat(shell.files()).isEmpty();
    }
}
