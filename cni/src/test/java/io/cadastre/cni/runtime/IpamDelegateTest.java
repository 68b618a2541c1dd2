package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.NetworkConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IpamDelegateTest {

    private static final String CONFIG = "{\"cniVersion\":\"0.4.0\","
            + " \"name\":\"blue\",\"type\":\"main\",\"ipam\":{\"type\":\"ip\"},\"x\":9007199254740993}";

    @TempDir
    Path folder;

    private RuntimeFixture bench;

    @BeforeEach
    void setUp() {
        bench = new RuntimeFixture(folder);
    }

    @Test
    void delegateHasTheWholeConfigurationAndTheEnvironmentButForTheVerb() {
        bench.answering("ip", "{\"ips\":[{\"version\":\"4\",\"address\":\"10.9.0.7/24\"}]}");

        var result = delegate("ip").add(config(), RuntimeFixture.soon());
        delegate("ip").call(CniVerb.DEL, config(), RuntimeFixture.soon());

        assertThat(result.cniVersion()).isEqualTo("1.1.0");
        assertThat(result.ips()).hasSize(1);
        assertThat(bench.order()).containsExactly("ip ADD", "ip DEL");
        assertThat(bench.calls()).allSatisfy(call -> {
            assertThat(call.stdin()).isEqualTo(CONFIG);
            assertThat(call.variable("CNI_CONTAINERID")).isEqualTo("c1");
            assertThat(call.variable("K8S_OWN")).isEqualTo("kept");
        });
    }

    @Test
    void delegateWithoutAddressesIsRefused() {
        bench.answering("ip", "{\"cniVersion\":\"0.4.0\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> delegate("ip").add(config(), RuntimeFixture.soon()))
                .withMessage("IPAM plugin returned missing IP config");
    }

    @Test
    void errorOfADelegateIsItsOwn() {
        bench.plugin("ip", "echo '{\"code\":11,\"msg\":\"later\"}'; exit 1");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> delegate("ip").add(config(), RuntimeFixture.soon()))
                .withMessage("later")
                .satisfies(thrown -> assertThat(thrown.error().code()).isEqualTo(11));
    }

    @Test
    void delegateWithoutATypeIsRefused() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> delegate("").call(CniVerb.DEL, config(), RuntimeFixture.soon()))
                .withMessage("no plugin name provided");
    }

    private static NetworkConfig config() {
        return NetworkConfig.read(Bytes.ofUtf8(CONFIG));
    }

    private IpamDelegate delegate(String type) {
        var environment = new TreeMap<>(Map.of(
                "PATH", "/usr/bin:/bin",
                "CNI_COMMAND", "CHECK",
                "CNI_CONTAINERID", "c1",
                "K8S_OWN", "kept"));
        return new IpamDelegate(
                RuntimeFixture.runner(Map.of()),
                new CniCall(
                        CniVerb.CHECK,
                        "c1",
                        "/run/netns/c1",
                        "eth0",
                        "",
                        List.of(bench.bin().toString()),
                        config(),
                        environment),
                type);
    }
}
