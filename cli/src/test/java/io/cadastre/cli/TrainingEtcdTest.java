package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TrainingEtcdTest {

    @TempDir
    private Path home;

    @Test
    void commandsReadFromItAsFromAnEmptyEtcd() throws IOException {
        try (var etcd = TrainingEtcd.start()) {
            var shell = Shell.at(home).with("DATASTORE_TYPE", "etcdv3").with("ETCD_ENDPOINTS", etcd.endpoint());

            var show = shell.run("ipam", "show");
            var pools = shell.run("get", "ippools");

            assertThat(show.exitCode()).as(show.err()).isZero();
            assertThat(pools.exitCode()).as(pools.err()).isZero();
        }
    }
}
