package io.cadastre.cli.cni;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.cni.doorbell.DoorbellSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CniInstallTest {

    @TempDir
    Path home;

    private Path programs() {
        return home.resolve("bin");
    }

    private Path networks() {
        return home.resolve("net.d");
    }

    private Shell.Ended install(String... more) {
        var words = new ArrayList<>(List.of(
                "cni",
                "install",
                "--bin-dir=" + programs(),
                "--conf-dir=" + networks(),
                "--socket=" + home.resolve("a.sock"),
                "--spool=" + home.resolve("spool")));
        words.addAll(List.of(more));
        return Shell.at(home).run(words.toArray(String[]::new));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void pluginsSettingsAndANetworkAreInstalled() throws IOException {
        var ended = install("--link=calico-ipam");

        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out().lines()).hasSize(5).allMatch(line -> line.endsWith(" installed"));
        assertThat(programs().resolve(DoorbellSettings.FILE))
                .hasContent(home.resolve("a.sock") + "\n" + home.resolve("spool") + "\n");
        assertThat(programs().resolve("cadastre-ipam"))
                .isExecutable()
                .hasSameBinaryContentAs(programs().resolve("cadastre-net"));
        assertThat(Files.readSymbolicLink(programs().resolve("calico-ipam"))).isEqualTo(Path.of("cadastre-ipam"));
        assertThat(networks().resolve("10-cadastre.conflist")).content().contains("cadastre-net");
        assertThat(permissions(networks().resolve("10-cadastre.conflist"))).isEqualTo("rw-------");
        assertThat(permissions(home.resolve("spool"))).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"calico-ipam", "host-local", "spiderpool"})
    void pluginAnswersToOtherNamesToo(String name) throws IOException {
        var ended = install("--link=" + name);

        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(Files.readSymbolicLink(programs().resolve(name))).isEqualTo(Path.of("cadastre-ipam"));
    }

    @Test
    void doingItAgainChangesNothing() throws IOException {
        install("--link=calico-ipam");
        var before = Files.getLastModifiedTime(programs().resolve("cadastre-ipam"));

        var ended = install("--link=calico-ipam");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out().lines()).hasSize(5).allMatch(line -> line.endsWith(" unchanged"));
        assertThat(Files.getLastModifiedTime(programs().resolve("cadastre-ipam")))
                .isEqualTo(before);
    }

    @Test
    void aFileThatIsNotOursIsLeftAloneAndNothingIsInstalled() throws IOException {
        Files.createDirectories(programs());
        var theirs = Files.writeString(programs().resolve("host-local"), "theirs");

        var ended = install("--link=host-local");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err())
                .isEqualTo("cadastre: %s exists and was not installed by Cadastre; --force replaces it\n"
                        .formatted(theirs));
        assertThat(theirs).hasContent("theirs");
        assertThat(programs().resolve("cadastre-ipam")).doesNotExist();
        assertThat(networks()).doesNotExist();
    }

    @Test
    void aFileThatIsNotOursIsReplacedOnRequest() throws IOException {
        Files.createDirectories(programs());
        var theirs = Files.writeString(programs().resolve("host-local"), "theirs");

        var ended = install("--link=host-local", "--force");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).contains(theirs + " replaced");
        assertThat(Files.readSymbolicLink(theirs)).isEqualTo(Path.of("cadastre-ipam"));
    }

    @Test
    void aNetworkThatAUserChangedIsLeftAlone() throws IOException {
        install();
        var network = networks().resolve("10-cadastre.conflist");
        Files.writeString(network, "{}");

        var ended = install();

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(network).hasContent("{}");
    }

    @Test
    void anOlderPluginOfOursIsReplaced() throws IOException {
        install();
        var plugin = programs().resolve("cadastre-net");
        Files.writeString(plugin, Files.readString(plugin, ISO_8859_1) + "x", ISO_8859_1);

        var ended = install();

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).contains(plugin + " replaced");
        assertThat(plugin).hasSameBinaryContentAs(programs().resolve("cadastre-ipam"));
    }

    @Test
    void theNetworkIsOfAVersionThatOldRuntimesKnow() {
        install();

        assertThat(networks().resolve("10-cadastre.conflist")).content().contains("\"cniVersion\": \"1.0.0\"");
    }

    @Test
    void theNetworkHasTheRequestedVersion() {
        install("--cni-version=1.1.0");

        assertThat(networks().resolve("10-cadastre.conflist")).content().contains("\"cniVersion\": \"1.1.0\"");
    }

    @Test
    void aNetworkOfOursOfAnotherVersionIsReplaced() {
        install("--cni-version=1.1.0");
        var network = networks().resolve("10-cadastre.conflist");

        var ended = install();

        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).contains(network + " replaced");
        assertThat(network).content().contains("\"cniVersion\": \"1.0.0\"");
    }

    @Test
    void unknownCniVersionIsRefused() {
        var ended = install("--cni-version=1.2.0");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith("cadastre: --cni-version is '1.2.0'; it must be one of 0.1.0, 0.2.0,"
                        + " 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0\n");
        assertThat(programs()).doesNotExist();
    }

    @Test
    void aNameThatTheAgentDoesNotKnowIsRefused() {
        var ended = install("--link=bridge");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: --link is 'bridge'; it must be one of calico-ipam");
        assertThat(programs()).doesNotExist();
    }

    @Test
    void invalidFolderIsAnErrorOfOneSentence() throws IOException {
        Files.writeString(programs(), "a file");

        var ended = install();

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).startsWith("cadastre: cannot install: ").hasLineCount(1);
    }
}
