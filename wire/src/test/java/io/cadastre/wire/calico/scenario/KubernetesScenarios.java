package io.cadastre.wire.calico.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.wire.calico.resource.PoolRuleScenarios;

import org.junit.jupiter.api.Nested;

import java.util.List;

/// All scenarios on a real API server, in one of Calico's API groups.
abstract class KubernetesScenarios {

    abstract KubernetesPlace place();

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
    final class Affinities extends AffinityScenarios {
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
    final class Blocks extends BlockScenarios {
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
    final class Crashes extends CrashScenarios {
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
    final class Pools extends PoolScenarios {

        /// The API server refuses a CIDR with host bits.
        @Override
        protected List<String> spellings() {
            return List.of("5001:0000:0000:001a:0000:0000:0000:0000/64");
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
    final class PoolRules extends PoolRuleScenarios {

        /// The API server has an order of its own, and it is the server that gives identities and times.
        @Override
        protected void checkStored(Bytes found, String expected) {
            assertThat(KubernetesPlace.tree(found.utf8()))
                    .isEqualTo(KubernetesPlace.tree(expected));
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
    final class KubernetesObjects extends KubernetesObjectScenarios {
        @Override
        KubernetesPlace place() {
            return KubernetesScenarios.this.place();
        }
    }

    @Nested
    final class SlowRivals extends KubernetesRivalScenarios {
        @Override
        KubernetesPlace place() {
            return KubernetesScenarios.this.place();
        }
    }
}
