package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.etcd.EtcdProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// CiliumPodIPPools and CiliumNodes in a real etcd.
final class CiliumOnEtcdTest {

    @Test
    void objectsAreKeptAndASecondPoolOfARangeIsRefused(@TempDir Path home) throws Exception {
        try (var etcd = EtcdProcess.start(home)) {
            var shell = Shell.at(home)
                    .with("DATASTORE_TYPE", "etcdv3")
                    .with("ETCD_ENDPOINTS", etcd.endpoint().toString());
            var pool = "{apiVersion: cilium.io/v2alpha1, kind: CiliumPodIPPool, metadata: {name: mars},"
                    + " spec: {ipv4: {cidrs: [10.20.0.0/16], maskSize: 28}}}";
            var node = "{apiVersion: cilium.io/v2, kind: CiliumNode, metadata: {name: n1},"
                    + " spec: {ipam: {podCIDRs: [10.0.3.0/24]}}}";

            var created = shell.runPiping(pool + "\n---\n" + node, "apply", "-f", "-");
            var second = shell.runPiping(pool.replace("mars", "venus"), "apply", "-f", "-");

            assertThat(created.out()).isEqualTo("ciliumpodippool/mars created\nciliumnode/n1 created\n");
            assertThat(second.err()).contains("it overlaps 10.20.0.0-10.20.255.255 of CiliumPodIPPool(mars)");
            assertThat(shell.run("get", "cn", "-o", "wide").out()).contains("10.0.3.0/24");
            assertThat(shell.run("delete", "cpip", "mars").out()).isEqualTo("ciliumpodippool/mars deleted\n");
        }
    }
}
