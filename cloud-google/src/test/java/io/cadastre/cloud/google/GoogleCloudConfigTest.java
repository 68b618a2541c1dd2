package io.cadastre.cloud.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.cloud.google.GoogleCloudConfig.TokenUrl;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoogleCloudConfigTest {

    private static final URI METADATA =
            URI.create("http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token");

    @TempDir
    Path folder;

    @Test
    void projectIsEnough() {
        assertThat(parse("[global]\nproject-id = my-project\n"))
                .isEqualTo(new GoogleCloudConfig(
                        "my-project",
                        URI.create("https://www.googleapis.com/compute/v1/"),
                        new TokenUrl.At(METADATA),
                        ""));
    }

    @Test
    void fileOfKubeControllerManagerIsRead() {
        var config = parse("""
            ; of the cluster
            [Global]   # the only section
              Project-ID = "my-project"   ; quoted
            local-zone=us-central1-b
            network-name = default
            node-tags = a
            node-tags = b
            multizone
            secondary-range-name = pods # trailing
            api-endpoint = http://127.0.0.1:8080/compute/v1
            token-url = nil
            """);

        assertThat(config)
                .isEqualTo(new GoogleCloudConfig(
                        "my-project", URI.create("http://127.0.0.1:8080/compute/v1/"), new TokenUrl.Nowhere(), "pods"));
    }

    @Test
    void tokenMayComeFromElsewhere() {
        assertThat(parse("[global]\nproject-id = p\ntoken-url = http://127.0.0.1:1/token\n")
                        .tokenUrl())
                .isEqualTo(new TokenUrl.At(URI.create("http://127.0.0.1:1/token")));
    }

    @Test
    void tokenMayBeGivenForAText() {
        var config = parse("[global]\nproject-id = p\ntoken-url = http://127.0.0.1:1/token\ntoken-body = for me\n");

        assertThat(config.tokenUrl())
                .isEqualTo(new TokenUrl.For(URI.create("http://127.0.0.1:1/token"), new Secret("for me")));
        assertThat(config.toString()).doesNotContain("for me");
    }

    @Test
    void metadataServerMayBeElsewhere() {
        var config = GoogleCloudConfig.parse("gce.conf", "[global]\nproject-id = p\n", "127.0.0.1:99");

        assertThat(((TokenUrl.At) config.tokenUrl()).url()).hasHost("127.0.0.1").hasPort(99);
        assertThatThrownBy(() -> GoogleCloudConfig.parse("gce.conf", "[global]\nproject-id = p\n", "a/b?"))
                .hasMessage("'a/b?' is not the host of a metadata server");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        [global]~proejct-id = p                    | gce.conf, line 2: the key proejct-id is unknown
        project-id = p                             | gce.conf, line 1: the key project-id stands before the section [global]
        [local]                                    | gce.conf, line 1: the only section is [global], and this is [local]
        [global] x                                 | gce.conf, line 1: the only section is [global], and this is [global] x
        [global]~= p                               | gce.conf, line 2: this is neither a section, a comment nor key = value
        [global]~project-id p                      | gce.conf, line 2: this is neither a section, a comment nor key = value
        [global]~~project-id = "p                  | gce.conf, line 3: the value of project-id has a quote or a \\ out of place
        [global]~project-id = p\\                  | gce.conf, line 2: the value of project-id has a quote or a \\ out of place
        [global]~project-id = p~project-id = q     | gce.conf, line 3: the key project-id stands in line 2 already
        [global]~project-id = a/b                  | gce.conf, line 2: the value 'a/b' of project-id is not the name or the number of a project
        [global]~project-id = p~local-zone = here  | gce.conf, line 3: the value 'here' of local-zone is not a zone, such as us-central1-b
        [global]~project-id =                      | gce.conf: the section [global] has no project-id, which names the project of the machines
        [global]                                   | gce.conf: the section [global] has no project-id, which names the project of the machines
        [global]~token-body = x~token-body = y     | gce.conf, line 3: the key token-body stands in line 2 already
        [global]~project-id = p~api-endpoint = x   | gce.conf, line 3: the value 'x' of api-endpoint is not a URL with http or https, and without a user or a fragment
        [global]~project-id = p~token-url = ftp://a | gce.conf, line 3: the value 'ftp://a' of token-url is not a URL with http or https, and without a user or a fragment
        [global]~project-id = p~api-endpoint = http://10.0.0.1/compute/v1/ | gce.conf, line 3: api-endpoint http://10.0.0.1/compute/v1/ would get a token that others can read on the way; use https, or token-url = nil
        """)
    void faultNamesTheFileTheLineAndTheKey(String lines, String message) {
        assertThatThrownBy(() -> parse(lines.replace('~', '\n')))
                .isInstanceOf(CloudConfigException.class)
                .hasMessage(message);
    }

    @Test
    void endpointWithoutATokenNeedsNoSecrecy() {
        assertThat(parse("[global]\nproject-id = p\ntoken-url = nil\napi-endpoint = http://10.0.0.1/c/v1/\n")
                        .apiEndpoint())
                .isEqualTo(URI.create("http://10.0.0.1/c/v1/"));
    }

    @Test
    void projectThatIsANumberIsNotComparedWithNames() {
        assertThat(parse("[global]\nproject-id = 123456\n").concerns("my-project"))
                .isTrue();
        assertThat(parse("[global]\nproject-id = p\n").concerns("p")).isTrue();
        assertThat(parse("[global]\nproject-id = p\n").concerns("q")).isFalse();
    }

    @Test
    void fileIsReadUpToABound() throws IOException {
        var file = folder.resolve("gce.conf");
        Files.writeString(file, "[global]\nproject-id = p\n");
        assertThat(GoogleCloudConfig.read(file, GoogleCloudConfig.METADATA_HOST).projectId())
                .isEqualTo("p");

        Files.writeString(file, "#".repeat(70_000));
        assertThatThrownBy(() -> GoogleCloudConfig.read(file, GoogleCloudConfig.METADATA_HOST))
                .hasMessage("%s has more than 65536 bytes".formatted(file));
        assertThatThrownBy(() -> GoogleCloudConfig.read(folder.resolve("none"), GoogleCloudConfig.METADATA_HOST))
                .isInstanceOf(CloudConfigException.class)
                .hasMessageStartingWith("cannot read " + folder.resolve("none"));
    }

    private static GoogleCloudConfig parse(String text) {
        return GoogleCloudConfig.parse("gce.conf", text, GoogleCloudConfig.METADATA_HOST);
    }
}
