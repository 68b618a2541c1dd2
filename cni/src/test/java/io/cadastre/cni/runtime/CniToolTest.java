package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.cni.runtime.AttachmentRequest.Argument;
import io.cadastre.wire.cni.CniException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CniToolTest {

    @Test
    void r30ContainerIsMadeUpFromTheNamespace() {
        var request = CniTool.request("/var/run/netns/testing", CniTool.IFNAME, "", "");

        assertThat(request)
                .isEqualTo(AttachmentRequest.of("cnitool-77383ca0a0715733ca6f", "/var/run/netns/testing", "eth0"));
    }

    @Test
    void namespaceIsMadeAbsolute() {
        var request = CniTool.request("/var/run/../run/netns/testing", "eth0", "", "");

        assertThat(request.netns()).isEqualTo("/var/run/netns/testing");
    }

    @Test
    void argumentsAndCapabilitiesAreRead() {
        var request = CniTool.request("/n", "eth0", "A=1;B=2", "{\"ips\":[\"10.1.2.3\"]}");

        assertThat(request.args()).containsExactly(new Argument("A", "1"), new Argument("B", "2"));
        assertThat(request.capabilityArgs()).hasToString("{\"ips\":[\"10.1.2.3\"]}");
    }

    @ParameterizedTest
    @CsvSource({"A,A", "A=1;,''", "A=,A=", "=1,=1", "A=1=2,A=1=2"})
    void everyPairMustBeWhole(String args, String piece) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniTool.request("/n", "eth0", args, ""))
                .withMessage("invalid CNI_ARGS pair \"%s\"".formatted(piece));
    }

    @Test
    void capabilitiesThatAreNotAnObjectAreRefused() {
        assertThatExceptionOfType(CniException.class).isThrownBy(() -> CniTool.request("/n", "eth0", "", "[]"));
    }
}
