package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The flags that all commands of calicoctl have.
final class CalicoctlFlagsTest {

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private void runCluster(String version) throws IOException {
        Manifest.apply(
                shell,
                folder,
                Manifest.resource(
                        "ClusterInformation",
                        "default",
                        "{clusterGUID: g, datastoreReady: false, calicoVersion: %s}".formatted(version)));
    }

    private String report() {
        return folder.resolve("report.json").toString();
    }

    // ---- the version ----

    @Test
    void clusterOfAnotherVersionIsRefusedUnlessThatIsAllowed() throws IOException {
        runCluster("v3.31.2");
        var other = shell.with("CALICO_VERSION", "v3.30.0");

        var refused = other.run("ipam", "show");
        var allowed = other.run("ipam", "show", "--allow-version-mismatch");

        assertThat(refused)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: version mismatch. Client Version:   v3.30.0 Cluster"
                                + " Version:  v3.31.2 Use --allow-version-mismatch to"
                                + " override\n"));
        assertThat(allowed.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.34.0", "3.34.9", "v3.34.0-0.dev-67-g87c15906f2", "v3.31.2", "v3.4"})
    void clusterOfThisOrAnOlderReleaseIsGoneAlongWith(String version) throws IOException {
        runCluster(version);

        var ended = shell.run("ipam", "show");

        assertThat(ended.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.35.0", "v3.340.0", "v4.0.0", "v2.6.12", "master", "v3", "v3.x"})
    void clusterOfANewerReleaseOrAnUnknownOneIsRefusedUnlessThatIsAllowed(String version) throws IOException {
        runCluster(version);

        var refused = shell.run("ipam", "assign", "--node", "node-1");
        var allowed = shell.run("ipam", "show", "--allow-version-mismatch");

        assertThat(refused)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: version mismatch. Client Version:   v3.34.0 Cluster"
                                + " Version:  %s Use --allow-version-mismatch to override\n".formatted(version)));
        assertThat(allowed.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.31.2", "3.31.2", "v3.31.2-12-gabcdef", ""})
    void leadingLetterAndSuffixDoNotCountAndTheVersionIsOptional(String version) throws IOException {
        runCluster("v3.31.2");

        var ended = shell.with("CALICO_VERSION", version).run("ipam", "show");

        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void reportCarriesTheVersionAndOneOfAnotherIsRefusedUnlessForced() throws IOException {
        runCluster("v3.31.2");
        shell.with("CALICO_VERSION", "v3.31.2").run("ipam", "check", "-o", report());

        var same = shell.with("CALICO_VERSION", "v3.31.2").run("ipam", "release", "--from-report", report());
        var other = shell.run("ipam", "release", "--from-report", report());
        var forced = shell.run("ipam", "release", "--from-report", report(), "--force");

        assertThat(Files.readString(Path.of(report()))).contains("\"version\": \"v3.31.2\"");
        assertThat(same.exitCode()).isZero();
        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.err())
                .contains("was produced using a different version (v3.31.2) of calicoctl. Refusing to" + " release");
        assertThat(forced.exitCode()).isZero();
        assertThat(forced.out())
                .contains("WARNING: Report was produced using a different version of calicoctl."
                        + " Ignoring due to --force option\n");
    }

    @Test
    void reportHasTheImplementedVersionIfNoneIsGiven() throws IOException {
        runCluster("v3.31.2");

        shell.run("ipam", "check", "-o", report());
        var same = shell.run("ipam", "release", "--from-report", report());

        assertThat(Files.readString(Path.of(report()))).contains("\"version\": \"v3.34.0\"");
        assertThat(same.exitCode()).isZero();
    }

    // ---- the configuration file ----

    private String config(String spec) throws IOException {
        var file = folder.resolve("calicoctl.cfg");
        Files.writeString(file, """
            apiVersion: projectcalico.org/v3
            kind: CalicoAPIConfig
            metadata:
            spec: %s
            """.formatted(spec));
        return file.toString();
    }

    @Test
    void configurationFileSelectsTheStore() throws IOException {
        var file = config("{datastoreType: etcdv3, etcdEndpoints: 'http://127.0.0.1:1'}");

        var ended = shell.run("ipam", "show", "--config", file);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("cannot reach etcd at http://127.0.0.1:1");
    }

    @Test
    void configurationFileComesBeforeTheEnvironmentAndTheOptionBeforeBoth() throws IOException {
        var file = config("{datastoreType: etcdv3, etcdEndpoints: 'http://127.0.0.1:1'}");
        var elsewhere = shell.with("ETCD_ENDPOINTS", "http://127.0.0.1:2");

        var byFile = elsewhere.run("ipam", "show", "-c", file);
        var byOption = elsewhere.run("ipam", "show", "-c", file, "--datastore", "embedded");

        assertThat(byFile.err()).contains("127.0.0.1:1").doesNotContain("127.0.0.1:2");
        assertThat(byOption.exitCode()).isZero();
    }

    @Test
    void missingFileOrUnknownSettingIsWrongUsage() throws IOException {
        var odd = config("{datastoreType: etcdv3, etcdKey: inline}");
        var pool =
                Files.writeString(folder.resolve("p"), Manifest.pool("p", "{}")).toString();

        var missing = shell.run("ipam", "show", "-c", "/nowhere/calicoctl.cfg");
        var notUnderstood = shell.run("ipam", "show", "-c", odd);
        var something = shell.run("ipam", "show", "-c", pool);

        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("/nowhere/calicoctl.cfg cannot be read");
        assertThat(notUnderstood.exitCode()).isEqualTo(2);
        assertThat(notUnderstood.err()).contains("has field 'etcdKey', which is not supported");
        assertThat(something.exitCode()).isEqualTo(2);
        assertThat(something.err()).contains("is not one document of kind CalicoAPIConfig");
    }
}
