package io.cadastre.wire.calico.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.calico.resource.PoolRuleScenarios;
import java.util.List;
import org.junit.jupiter.api.Nested;

/// Scenarios on a real API server for which it matters in which of Calico's API groups objects are.
abstract class KubernetesScenarios {

    abstract KubernetesPlace place();

    @Nested
    final class Affinities extends AffinityScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Blocks extends BlockScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class Crashes extends CrashScenarios {
        @Override
        protected ScenarioStore open() {
            return place().ground();
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
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class PoolRules extends PoolRuleScenarios {

        /// The API server has an order of its own, and it is the server that gives identities and times.
        @Override
        protected void checkStored(Bytes found, String expected) {
            assertThat(KubernetesPlace.tree(found.utf8())).isEqualTo(KubernetesPlace.tree(expected));
        }

        @Override
        protected ScenarioStore open() {
            return place().ground();
        }
    }

    @Nested
    final class KubernetesObjects extends KubernetesObjectScenarios {
        @Override
        KubernetesPlace place() {
            return KubernetesScenarios.this.place();
        }
    }
}
