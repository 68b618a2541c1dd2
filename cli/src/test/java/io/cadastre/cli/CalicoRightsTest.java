package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.etcd.EtcdProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// A user of etcd who has the rights that Calico documents: everything under `/calico/`, and nothing else.
@Timeout(300)
final class CalicoRightsTest {

    @TempDir private Path home;

    @Test
    void calicosRightsAreEnoughForCalicosData() throws Exception {
        try (var etcd = EtcdProcess.start(home)) {
            etcd.etcdctl("user", "add", "root:secret");
            etcd.etcdctl("user", "grant-role", "root", "root");
            etcd.etcdctl("user", "add", "calico:secret");
            etcd.etcdctl("role", "add", "calico");
            etcd.etcdctl(
                    "role", "grant-permission", "calico", "--prefix=true", "readwrite", "/calico/");
            etcd.etcdctl("user", "grant-role", "calico", "calico");
            etcd.etcdctl("auth", "enable");
            var shell =
                    Shell.at(home)
                            .with("DATASTORE_TYPE", "etcdv3")
                            .with("ETCD_ENDPOINTS", etcd.endpoint().toString())
                            .with("ETCD_USERNAME", "calico")
                            .with("ETCD_PASSWORD", "secret");

            succeed(
                    shell.runPiping(
                            """
                            {apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p}, spec: {cidr: 10.91.0.0/24}}
                            ---
                            {apiVersion: projectcalico.org/v3, kind: Node, metadata: {name: node-1}}
                            """,
                            "apply",
                            "-f",
                            "-"));
            succeed(shell.run("ipam", "assign", "--node", "node-1", "--handle", "h"));
            succeed(shell.run("ipam", "show", "--show-blocks"));
            succeed(shell.run("explain", "ipam", "assign", "--node", "node-1"));
            succeed(shell.run("get", "ippools"));
            succeed(shell.run("ipam", "check"));
            succeed(shell.run("ipam", "release-handle", "h"));
            succeed(shell.run("ipam", "collect"));
        }
    }

    private static void succeed(Shell.Ended ended) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }
}
