package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.resource.PoolRivalScenarios;
import io.cadastre.wire.calico.resource.PoolRuleScenarios;
import org.junit.jupiter.api.Nested;

final class ScenariosOnMemoryTest {
    @Nested
    final class Addresses extends AddressScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Affinities extends AffinityScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Assignments extends AssignScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class BlockChoices extends BlockChoiceScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Blocks extends BlockScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Collection extends CollectorScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Crashes extends CrashScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Neighbours extends NeighbourScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Pools extends PoolScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class PoolRules extends PoolRuleScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class PoolRivals extends PoolRivalScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Releases extends ReleaseScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Rivals extends RivalScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }

    @Nested
    final class Traffic extends TrafficScenarios {
        @Override
        protected ScenarioStore open() {
            return ScenarioStore.of(new MemoryDatastore());
        }
    }
}
