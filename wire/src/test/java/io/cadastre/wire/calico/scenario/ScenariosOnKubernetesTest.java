package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.wire.calico.crd.ApiGroup;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

final class ScenariosOnKubernetesTest {

    private static final Map<ApiGroup, KubernetesPlace> PLACES = new EnumMap<>(ApiGroup.class);
    private static @Nullable KubeApiServer server;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        var started = KubeApiServer.start(folder);
        server = started;
        KubernetesPlace.install(started);
        for (var group : ApiGroup.values()) {
            PLACES.put(group, KubernetesPlace.at(started, group));
        }
    }

    @AfterAll
    static void stopServer() {
        PLACES.values().forEach(KubernetesPlace::close);
        if (server != null) {
            server.close();
        }
    }

    private static KubernetesPlace place(ApiGroup group) {
        return Objects.requireNonNull(PLACES.get(group));
    }

    @Nested
    final class InTheOlderGroup extends AllKubernetesScenarios {
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
