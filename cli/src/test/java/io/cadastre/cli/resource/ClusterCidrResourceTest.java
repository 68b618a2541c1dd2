package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ClusterCIDRs on the command line.
final class ClusterCidrResourceTest {

    @TempDir
    private Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private static String object(String metadata, String spec) {
        return "{apiVersion: networking.x-k8s.io/v1, kind: ClusterCIDR, metadata: {name: pool-a%s}, spec: %s}"
                .formatted(metadata, spec);
    }

    private static final String SELECTOR =
            "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [a, b]}]}]}";

    private static final String POOL = object("", "{perNodeHostBits: 8, ipv4: 10.0.0.0/16, %s}".formatted(SELECTOR));

    private Shell.Ended apply(String document) {
        return shell.runPiping(document, "apply", "-f", "-");
    }

    @Test
    void aClusterCidrIsAppliedShownAndDeleted() {
        var created = apply(POOL);
        var again = apply(POOL);
        var later = shell.at(Shell.NOON.plus(Duration.ofMinutes(7)));
        var shown = later.run("get", "clustercidrs");
        var wide = later.run("get", "cc", "pool-a", "-o", "wide");
        var deleted = shell.run("delete", "cc", "pool-a");

        assertThat(created.out()).isEqualTo("clustercidr/pool-a created\n");
        assertThat(again.out()).isEqualTo("clustercidr/pool-a unchanged\n");
        assertThat(shown.out()).isEqualTo("""
            NAME     PERNODEHOSTBITS   IPV4          IPV6     AGE
            pool-a   8                 10.0.0.0/16   <none>   7m
            """);
        assertThat(wide.out()).isEqualTo("""
            NAME     PERNODEHOSTBITS   IPV4          IPV6     AGE   NODESELECTOR
            pool-a   8                 10.0.0.0/16   <none>   7m    MatchExpressions: [{pool In [a b]}]
            """);
        assertThat(deleted).isEqualTo(new Shell.Ended(0, "clustercidr/pool-a deleted\n", ""));
        assertThat(shell.run("get", "cc", "pool-a").exitCode()).isEqualTo(3);
    }

    @Test
    void oneWithoutSelectorShowsNone() {
        apply(object("", "{perNodeHostBits: 8, ipv6: 'fd00::/112'}"));

        assertThat(shell.run("get", "cc", "-o", "wide").out()).contains("<none>   fd00::/112", "<none>\n");
    }

    @Test
    void fieldThatItLacksIsWrongUsageAndNothingIsWritten() {
        var misspelt = apply(object("", "{perNodeHostBit: 8, ipv4: 10.0.0.0/16}"));
        var miscased = apply(object("", "{perNodeHostBits: 8, IPv4: 10.0.0.0/16}"));

        assertThat(misspelt.exitCode()).isEqualTo(2);
        assertThat(misspelt.err())
                .startsWith("cadastre: -: clustercidr/pool-a: strict decoding error: unknown field"
                        + " \"spec.perNodeHostBit\"; did you mean spec.perNodeHostBits?\n");
        assertThat(miscased.err()).contains("unknown field \"spec.IPv4\"; did you mean spec.ipv4?");
        assertThat(shell.run("get", "cc").out()).doesNotContain("pool-a");
    }

    @Test
    void theSpecCannotBeChanged() {
        apply(POOL);

        var refused = apply(object("", "{perNodeHostBits: 4, ipv4: 10.0.0.0/16, %s}".formatted(SELECTOR)));
        var labelled = apply(POOL.replace("pool-a", "pool-a, labels: {a: b}"));

        assertThat(refused)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: clustercidr/pool-a is not applied: ClusterCIDR.networking.x-k8s.io \"pool-a\" is"
                                + " invalid: spec.perNodeHostBits: Invalid value: 4: field is immutable\n"));
        assertThat(labelled.out()).isEqualTo("clustercidr/pool-a configured\n");
    }

    @Test
    void printedResourceCanBeAppliedAgain() {
        apply(POOL);

        var shown = shell.run("get", "cc", "pool-a", "-o", "yaml");
        var again = shell.runPiping(shown.out(), "apply", "-f", "-");

        assertThat(again.out()).isEqualTo("clustercidr/pool-a unchanged\n");
    }

    @Test
    void oneOfTheOlderGroupIsAKindOfItsOwn() {
        var older = POOL.replace("networking.x-k8s.io/v1", "networking.k8s.io/v1alpha1");

        var created = apply(older);
        var faulty =
                apply(older.replace("perNodeHostBits: 8", "perNodeHostBits: 3").replace("pool-a", "other"));
        var unknown = apply(POOL.replace("networking.x-k8s.io/v1", "networking.k8s.io/v1"));

        assertThat(created.out()).isEqualTo("clustercidr.networking.k8s.io/pool-a created\n");
        assertThat(faulty.err()).contains("spec.perNodeHostBits: Invalid value: 3: must be greater than or equal to 4");
        assertThat(unknown.err()).contains("it must be networking.x-k8s.io/v1 or networking.k8s.io/v1alpha1");
        assertThat(shell.run("get", "cc").out()).doesNotContain("pool-a");
        assertThat(shell.run("get", "clustercidrs.networking.k8s.io").out()).contains("pool-a");
        assertThat(shell.run("delete", "clustercidrs.networking.k8s.io", "pool-a")
                        .out())
                .isEqualTo("clustercidr.networking.k8s.io/pool-a deleted\n");
    }

    @Test
    void oneWithAFinalizerIsNotGoneAtOnce() {
        apply(object(
                ", finalizers: [networking.x-k8s.io/cluster-cidr-finalizer]",
                "{perNodeHostBits: 8, ipv4: 10.0.0.0/16}"));

        var deleted = shell.run("delete", "cc", "pool-a");

        assertThat(deleted.out())
                .isEqualTo("clustercidr/pool-a is being deleted: nodes get no more CIDRs of it, and it is removed when"
                        + " no node has one\n");
        assertThat(shell.run("get", "cc", "pool-a", "-o", "yaml").out()).contains("deletionTimestamp");
    }

    @Test
    void aRangeOfAPoolIsRefused() {
        apply("{apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p}, spec: {cidr: 10.0.0.0/16}}");

        var refused = apply(POOL);

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("no two dialects in one store may give addresses of one range");
    }

    @Test
    void aPoolOfItsRangeIsRefused() {
        apply(POOL);

        var refused = apply(
                "{apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p}, spec: {cidr: 10.0.0.0/16}}");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("ClusterCIDR(pool-a)");
    }
}
