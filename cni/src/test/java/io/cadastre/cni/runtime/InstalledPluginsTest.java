package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniIp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The reference plugins of the machine, where there are any. Those for addresses need no rights.
class InstalledPluginsTest {

    private static final List<Path> FOLDERS = List.of(Path.of("/usr/lib/cni"), Path.of("/opt/cni/bin"));

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> hostLocalGivesAnAddressAndTakesItBack() {
        return FOLDERS.stream()
                .filter(bin -> Files.isExecutable(bin.resolve("host-local")))
                .map(bin -> dynamicTest(bin.toString(), () -> giveAndTakeBack(bin)));
    }

    private void giveAndTakeBack(Path bin) {
        var leases = folder.resolve("networks" + bin.hashCode());
        var list = NetworkList.parse(Bytes.ofUtf8("""
            {"cniVersion":"1.0.0","name":"blue","plugins":[{"type":"host-local",
             "ipam":{"type":"host-local","subnet":"10.9.0.0/29","dataDir":"%s"}}]}
            """.formatted(leases)));
        var runtime = new CniRuntime(
                new PluginPath(List.of(bin.toString())),
                RuntimeFixture.runner(Map.of()),
                new ResultCache(folder.resolve("cache")));
        var first = AttachmentRequest.of("c1", "/run/netns/none", "eth0");
        var second = AttachmentRequest.of("c2", "/run/netns/none", "eth0");

        runtime.validate(list, RuntimeFixture.soon());
        var one = runtime.add(list, first, RuntimeFixture.soon());
        var two = runtime.add(list, second, RuntimeFixture.soon());

        assertThat(one.ips()).extracting(CniIp::address).hasToString("[10.9.0.2/29]");
        assertThat(two.ips()).extracting(CniIp::address).hasToString("[10.9.0.3/29]");
        runtime.check(list, first, RuntimeFixture.soon());
        assertThat(leases.resolve("blue/10.9.0.2")).hasContent("c1\r\neth0");
        runtime.del(list, first, RuntimeFixture.soon());
        runtime.del(list, first, RuntimeFixture.soon());
        assertThat(leases.resolve("blue/10.9.0.2")).doesNotExist();
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> runtime.check(list, first, RuntimeFixture.soon()))
                .withMessageContaining("Failed to find address added by container c1");
        runtime.gc(list, RuntimeFixture.soon());
        assertThat(leases.resolve("blue/10.9.0.3")).doesNotExist();
        assertThat(runtime.attachments()).isEmpty();
    }
}
