package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;

import org.junit.jupiter.api.Nested;

/// All scenarios on a real API server.
abstract class AllKubernetesScenarios extends KubernetesScenarios {

    @Nested
    final class Addresses extends AddressScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
        }
    }

    @Nested
    final class Assignments extends AssignScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
        }
    }

    @Nested
    final class BlockChoices extends BlockChoiceScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
        }
    }

    @Nested
    final class Collection extends CollectorScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
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
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
        }
    }

    @Nested
    final class Releases extends ReleaseScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
        }
    }

    @Nested
    final class Rivals extends RivalScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
        }
    }

    @Nested
    final class Traffic extends TrafficScenarios {
        @Override
        protected Datastore open() {
            return place().openEmpty();
        }

        @Override
        protected Scenery scenery() {
            return place().scenery();
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
