package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.wire.calico.resource.PoolRivalScenarios;
import io.cadastre.wire.calico.resource.PoolRuleScenarios;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

final class ScenariosOnSqliteTest {

    private final Path folder;

    ScenariosOnSqliteTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private ScenarioStore openNew() {
        return ScenarioStore.of(SqliteDatastore.open(SqliteSettings.of(folder.resolve("store.db"))));
    }

    @Nested
    final class Addresses extends AddressScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Affinities extends AffinityScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Assignments extends AssignScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class BlockChoices extends BlockChoiceScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Blocks extends BlockScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Collection extends CollectorScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Crashes extends CrashScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Neighbours extends NeighbourScenarios {

        @Override
        protected int operations() {
            return 400;
        }

        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Pools extends PoolScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class PoolRules extends PoolRuleScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class PoolRivals extends PoolRivalScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Releases extends ReleaseScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Rivals extends RivalScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }

    @Nested
    final class Traffic extends TrafficScenarios {
        @Override
        protected ScenarioStore open() {
            return openNew();
        }
    }
}
