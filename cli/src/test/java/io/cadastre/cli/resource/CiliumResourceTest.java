package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// CiliumNodes and CiliumPodIPPools on the command line.
final class CiliumResourceTest {

    private static final String POOL = "{apiVersion: cilium.io/v2alpha1, kind: CiliumPodIPPool, metadata: {name: mars},"
            + " spec: {ipv4: {cidrs: [10.20.0.0/16], maskSize: 28}}}";

    private static final String NODE =
            "{apiVersion: cilium.io/v2, kind: CiliumNode, metadata: {name: n1}, spec: {addresses: [{type: InternalIP,"
                    + " ip: 192.168.1.11}, {type: CiliumInternalIP, ip: 10.0.3.77}], ipam: {podCIDRs: [10.0.3.0/24]}}}";

    @TempDir
    private Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private Shell.Ended apply(String document) {
        return shell.runPiping(document, "apply", "-f", "-");
    }

    @Test
    void aPoolIsAppliedShownAndDeleted() {
        var created = apply(POOL);
        var again = apply(POOL);
        var shown = shell.at(Shell.NOON.plus(Duration.ofMinutes(7))).run("get", "cpip");
        var deleted = shell.run("delete", "ciliumpodippools", "mars");

        assertThat(created).isEqualTo(new Shell.Ended(0, "ciliumpodippool/mars created\n", ""));
        assertThat(again.out()).isEqualTo("ciliumpodippool/mars unchanged\n");
        assertThat(shown.out()).isEqualTo("""
            NAME   IPV4           IPV4-MASK   IPV6   IPV6-MASK   AGE
            mars   10.20.0.0/16   28          -      -           7m
            """);
        assertThat(deleted).isEqualTo(new Shell.Ended(0, "ciliumpodippool/mars deleted\n", ""));
        assertThat(shell.run("delete", "cpip", "mars").err()).contains("CiliumPodIPPool.cilium.io \"mars\" not found");
    }

    @Test
    void aNodeIsCreatedAndShownByEachOfItsNames() {
        var created = shell.runPiping(NODE, "create", "-f", "-");
        var twice = shell.runPiping(NODE, "create", "-f", "-");
        var wide = shell.at(Shell.NOON.plus(Duration.ofMinutes(7))).run("get", "cn", "-o", "wide");

        assertThat(created.out()).isEqualTo("ciliumnode/n1 created\n");
        assertThat(twice.err()).contains("CiliumNode.cilium.io \"n1\" already exists");
        assertThat(wide.out()).isEqualTo("""
            NAME   CILIUMINTERNALIP   INTERNALIP     AGE   PODCIDRS      ERROR
            n1     10.0.3.77          192.168.1.11   7m    10.0.3.0/24   -
            """);
        assertThat(shell.run("get", "ciliumn", "n1", "-o", "yaml").out()).contains("podCIDRs");
        assertThat(shell.run("delete", "ciliumnode", "n1").out()).isEqualTo("ciliumnode/n1 deleted\n");
    }

    @Test
    void aPrintedObjectCanBeAppliedAgain() {
        apply(POOL);
        apply(NODE);

        assertThat(apply(shell.run("get", "cpip", "mars", "-o", "yaml").out()).out())
                .isEqualTo("ciliumpodippool/mars unchanged\n");
        assertThat(apply(shell.run("get", "cn", "n1", "-o", "yaml").out()).out())
                .isEqualTo("ciliumnode/n1 unchanged\n");
    }

    @Test
    void aFieldThatAKindLacksIsWrongUsageAndNothingIsWritten() {
        var misspelt = apply(POOL.replace("maskSize", "masksize"));
        var nested = apply(NODE.replace("podCIDRs", "podCidrs"));

        assertThat(misspelt.exitCode()).isEqualTo(2);
        assertThat(misspelt.err())
                .startsWith("cadastre: -: ciliumpodippool/mars: strict decoding error: unknown field"
                        + " \"spec.ipv4.masksize\"; did you mean spec.ipv4.maskSize?\n");
        assertThat(nested.err()).contains("unknown field \"spec.ipam.podCidrs\"; did you mean spec.ipam.podCIDRs?");
        assertThat(shell.run("get", "cpip").out()).doesNotContain("mars");
    }

    @Test
    void aRuleThatIsBrokenIsNamed() {
        apply(POOL);

        assertThat(apply(POOL.replace("28", "27")))
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: ciliumpodippool/mars is not applied: CiliumPodIPPool.cilium.io \"mars\" is invalid:"
                                + " spec.ipv4.maskSize: Invalid value: 27: maskSize is immutable\n"));
    }

    @Test
    void noOtherDialectTakesTheRangeOfAPool() {
        apply(POOL);

        var calico = apply(
                "{apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p}, spec: {cidr: 10.20.0.0/20}}");
        var nodes = shell.run("node-cidr", "add", "n1", "--cluster-cidr", "10.20.0.0/16");

        assertThat(calico.exitCode()).isEqualTo(3);
        assertThat(calico.err()).contains("CiliumPodIPPool(mars)");
        assertThat(nodes.exitCode()).isEqualTo(3);
        assertThat(nodes.err()).contains("CiliumPodIPPool(mars)");
    }

    @Test
    void aPoolDoesNotTakeTheRangeOfAnotherDialect() {
        apply("{apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p}, spec: {cidr: 10.20.0.0/20}}");

        assertThat(apply(POOL).err()).contains("no two pools may give addresses of one range");
    }
}
