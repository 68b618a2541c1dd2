package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.wire.calico.crd.ApiGroup;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Objects;

final class ScenariosOnKubernetesTest {

    private static @Nullable KubeApiServer server;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        var started = KubeApiServer.start(folder);
        server = started;
        KubernetesPlace.install(started);
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private static KubernetesPlace place(ApiGroup group) {
        return new KubernetesPlace(Objects.requireNonNull(server), group);
    }

    @Nested
    final class InTheOlderGroup extends KubernetesScenarios {
        @Override
        KubernetesPlace place() {
            return ScenariosOnKubernetesTest.place(ApiGroup.CRD_V1);
        }
    }

    @Nested
    final class InTheNewerGroup extends KubernetesScenarios {
        @Override
        KubernetesPlace place() {
            return ScenariosOnKubernetesTest.place(ApiGroup.PROJECT_V3);
        }
    }
}
