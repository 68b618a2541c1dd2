package io.cadastre.wire.calico.scenario;

import org.junit.jupiter.api.Nested;

/// All scenarios on a real API server.
abstract class AllKubernetesScenarios extends KubernetesScenarios {

    @Nested
    final class Addresses extends AddressScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Assignments extends AssignScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class BlockChoices extends BlockChoiceScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Collection extends CollectorScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Neighbours extends NeighbourScenarios {

        /// Each takes some hundredths of a second here.
        @Override
        protected int operations() {
            return 60;
        }

        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Releases extends ReleaseScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Rivals extends RivalScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Traffic extends TrafficScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class SlowRivals extends KubernetesRivalScenarios {
        @Override
        KubernetesPlace place() {
            return AllKubernetesScenarios.this.place();
        }
    }
}
