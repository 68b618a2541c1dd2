package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.resource.PoolRivalScenarios;
import io.cadastre.wire.calico.resource.PoolRuleScenarios;

import org.junit.jupiter.api.Nested;

final class ScenariosOnMemoryTest {
    @Nested
    final class Addresses extends AddressScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Affinities extends AffinityScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Assignments extends AssignScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class BlockChoices extends BlockChoiceScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Blocks extends BlockScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Collection extends CollectorScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Crashes extends CrashScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Neighbours extends NeighbourScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Pools extends PoolScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class PoolRules extends PoolRuleScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class PoolRivals extends PoolRivalScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Releases extends ReleaseScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Rivals extends RivalScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }

    @Nested
    final class Traffic extends TrafficScenarios {
        @Override
        protected Datastore open() {
            return new MemoryDatastore();
        }
    }
}
