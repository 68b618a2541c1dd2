package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.etcd.EtcdProcess;
import io.cadastre.wire.calico.resource.PoolRivalScenarios;
import io.cadastre.wire.calico.resource.PoolRuleScenarios;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

final class ScenariosOnEtcdTest {

    private static @Nullable EtcdProcess etcd;

    @BeforeAll
    static void startEtcd(@TempDir Path folder) throws IOException {
        etcd = EtcdProcess.start(folder);
    }

    @AfterAll
    static void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private static ScenarioStore openEmpty() {
        return ScenarioStore.of(Objects.requireNonNull(etcd).openEmpty());
    }

    @Nested
    final class Addresses extends AddressScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Affinities extends AffinityScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Assignments extends AssignScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class BlockChoices extends BlockChoiceScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Blocks extends BlockScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Collection extends CollectorScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Crashes extends CrashScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Neighbours extends NeighbourScenarios {

        /// Each takes some milliseconds here.
        @Override
        protected int operations() {
            return 60;
        }

        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Pools extends PoolScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class PoolRules extends PoolRuleScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class PoolRivals extends PoolRivalScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Releases extends ReleaseScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Rivals extends RivalScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }

    @Nested
    final class Traffic extends TrafficScenarios {
        @Override
        protected ScenarioStore open() {
            return openEmpty();
        }
    }
}
