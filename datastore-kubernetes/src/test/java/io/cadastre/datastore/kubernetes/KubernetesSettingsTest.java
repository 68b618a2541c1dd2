package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesSettingsTest {

    @TempDir
    Path directory;

    @Test
    void fileThatIsNamedIsUsedEvenInAPod() throws IOException {
        var file = Files.createFile(directory.resolve("config"));
        givenAPod();

        var settings =
                read(Map.of("KUBECONFIG", file.toString(), "KUBERNETES_SERVICE_HOST", "10.96.0.1"), "production");

        assertThat(settings.access()).isEqualTo(new Access.Kubeconfig(file, "production"));
    }

    @Test
    void podUsesWhatItIsGiven() throws IOException {
        givenAPod();

        var settings = read(Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443"), "");

        assertThat(settings.access())
                .isEqualTo(new Access.InCluster(
                        "https://[fd00::1]:6443", directory.resolve("token"), directory.resolve("ca.crt")));
    }

    @Test
    void fileInTheHomeFolderIsTheLastResort() throws IOException {
        var folder = Files.createDirectories(directory.resolve(".kube"));
        var file = Files.createFile(folder.resolve("config"));

        var settings = read(Map.of("HOME", directory.toString(), "KUBECONFIG", " "), "");

        assertThat(settings.access()).isEqualTo(new Access.Kubeconfig(file, ""));
        assertThat(settings.rate()).isEqualTo(Rate.DEFAULT);
    }

    @Test
    void fileInTheHomeFolderMeansNoClusterUnlessAContextIsNamed() throws IOException {
        var folder = Files.createDirectories(directory.resolve(".kube"));
        var file = Files.createFile(folder.resolve("config"));
        var environment = Map.of("HOME", directory.toString());

        var unnamed = KubernetesSettings.findMeant(environment, "", directory);
        var named = KubernetesSettings.findMeant(environment, "production", directory);

        assertThat(unnamed).isEmpty();
        assertThat(named.orElseThrow().access()).isEqualTo(new Access.Kubeconfig(file, "production"));
    }

    @Test
    void podMeansItsOwnCluster() throws IOException {
        givenAPod();

        var meant = KubernetesSettings.findMeant(Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1"), "", directory);

        assertThat(meant.orElseThrow().access()).isInstanceOf(Access.InCluster.class);
    }

    @Test
    void missingServerIsReportedWithTheRemedy() {
        assertThatThrownBy(() -> read(Map.of("HOME", directory.toString()), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("KUBECONFIG");
    }

    @Test
    void fileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> read(Map.of("KUBECONFIG", "/no/such/file"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/no/such/file");
    }

    @Test
    void requestsAreBoundedByTwoVariables() throws IOException {
        var file = Files.createFile(directory.resolve("config")).toString();

        var settings =
                read(Map.of("KUBECONFIG", file, "CADASTRE_KUBERNETES_QPS", "5", "CADASTRE_KUBERNETES_BURST", "10"), "");

        assertThat(settings.rate()).isEqualTo(new Rate(5, 10));
        assertThatThrownBy(() -> read(Map.of("KUBECONFIG", file, "CADASTRE_KUBERNETES_QPS", "x"), ""))
                .hasMessageContainingAll("CADASTRE_KUBERNETES_QPS", "'x'");
        assertThatThrownBy(() -> read(Map.of("KUBECONFIG", file, "CADASTRE_KUBERNETES_QPS", "0"), ""))
                .hasMessageContaining("at least 1");
    }

    private KubernetesSettings read(Map<String, String> environment, String context) {
        return KubernetesSettings.fromEnvironment(environment, context, directory);
    }

    private void givenAPod() throws IOException {
        Files.writeString(directory.resolve("token"), "secret");
        Files.writeString(directory.resolve("ca.crt"), "");
    }
}
