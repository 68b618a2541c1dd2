package io.cadastre.verification.architecture;

import static io.cadastre.verification.architecture.Planted.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

/// Each rule holds for the product, and finds the violation planted for it.
class ArchitectureTest {

    private static final JavaClasses PRODUCT = Product.classes();

    @TempDir Path folder;

    @Test
    void everyModuleIsExamined() {
        var packages = Product.modulePackages();

        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(
                        name ->
                                assertThat(PRODUCT)
                                        .as("classes in %s", name)
                                        .anyMatch(
                                                examined ->
                                                        examined.getPackageName()
                                                                .startsWith(name)));
    }

    @Test
    void addressKnowsOnlyValues() {
        Rules.ADDRESS_KNOWS_ONLY_VALUES.check(PRODUCT);
    }

    @Test
    void addressThatReadsAFileIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.address;
                        class Planted {
                            java.nio.file.Path file;
                        }
                        """);

        var violations = violations(Rules.ADDRESS_KNOWS_ONLY_VALUES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.address.Planted");
    }

    @Test
    void engineKnowsOnlyValuesAndAddresses() {
        Rules.ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES.check(PRODUCT);
    }

    @Test
    void engineThatKnowsTheDatastoreIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore;
                        public interface Store {}
                        """,
                        """
                        package io.cadastre.engine.block;
                        class Planted {
                            io.cadastre.datastore.Store store;
                        }
                        """);

        var violations = violations(Rules.ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.engine.block.Planted");
    }

    @Test
    void engineThatTakesALockIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine.block;
                        class Planted {
                            java.util.concurrent.locks.Lock lock;
                        }
                        """);

        var violations = violations(Rules.ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.engine.block.Planted");
    }

    @Test
    void datastoreKnowsOnlyTheJdk() {
        Rules.DATASTORE_KNOWS_ONLY_THE_JDK.check(PRODUCT);
    }

    @Test
    void portThatKnowsOneOfItsStoresIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore.sqlite;
                        public class SqliteStore {}
                        """,
                        """
                        package io.cadastre.datastore;
                        class Planted {
                            io.cadastre.datastore.sqlite.SqliteStore store;
                        }
                        """);

        var violations = violations(Rules.DATASTORE_KNOWS_ONLY_THE_JDK, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.datastore.Planted");
    }

    @Test
    void memoryStoreThatSpeaksSqlIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore.memory;
                        class Planted {
                            java.sql.Connection connection;
                        }
                        """);

        var violations = violations(Rules.DATASTORE_KNOWS_ONLY_THE_JDK, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.datastore.memory.Planted");
    }

    @Test
    void sqliteKnowsOnlyThePortAndSql() {
        Rules.SQLITE_KNOWS_ONLY_THE_PORT_AND_SQL.check(PRODUCT);
    }

    @Test
    void storeThatKnowsAddressesIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.address;
                        public class Prefix {}
                        """,
                        """
                        package io.cadastre.datastore.sqlite;
                        class Planted {
                            io.cadastre.address.Prefix prefix;
                        }
                        """);

        var violations = violations(Rules.SQLITE_KNOWS_ONLY_THE_PORT_AND_SQL, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.datastore.sqlite.Planted");
    }

    @Test
    void etcdKnowsOnlyThePortAndGrpc() {
        Rules.ETCD_KNOWS_ONLY_THE_PORT_AND_GRPC.check(PRODUCT);
    }

    @Test
    void storeThatKnowsAnotherStoreIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore.sqlite;
                        public class SqliteStore {}
                        """,
                        """
                        package io.cadastre.datastore.etcd;
                        class Planted {
                            io.cadastre.datastore.sqlite.SqliteStore store;
                        }
                        """);

        var violations = violations(Rules.ETCD_KNOWS_ONLY_THE_PORT_AND_GRPC, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.datastore.etcd.Planted");
    }

    @Test
    void kubernetesKnowsOnlyThePortAndItsClient() {
        Rules.KUBERNETES_KNOWS_ONLY_THE_PORT_AND_ITS_CLIENT.check(PRODUCT);
    }

    @Test
    void storeThatKnowsADialectIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.wire.calico;
                        public class CalicoMap {}
                        """,
                        """
                        package io.cadastre.datastore.kubernetes;
                        class Planted {
                            io.cadastre.wire.calico.CalicoMap map;
                        }
                        """);

        var violations = violations(Rules.KUBERNETES_KNOWS_ONLY_THE_PORT_AND_ITS_CLIENT, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.datastore.kubernetes.Planted");
    }

    @Test
    void registryKnowsNoStoreButThePort() {
        Rules.REGISTRY_KNOWS_NO_STORE_BUT_THE_PORT.check(PRODUCT);
    }

    @Test
    void registryThatKnowsAStoreIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore.etcd;
                        public class EtcdStore {}
                        """,
                        """
                        package io.cadastre.registry;
                        class Planted {
                            io.cadastre.datastore.etcd.EtcdStore store;
                        }
                        """);

        var violations = violations(Rules.REGISTRY_KNOWS_NO_STORE_BUT_THE_PORT, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.registry.Planted");
    }

    @Test
    void wireKnowsTheRegistryAndJackson() {
        Rules.WIRE_KNOWS_THE_REGISTRY_AND_JACKSON.check(PRODUCT);
    }

    @Test
    void wireThatKnowsAStoreIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore.sqlite;
                        public class SqliteStore {}
                        """,
                        """
                        package io.cadastre.wire.kubernetes;
                        class Planted {
                            io.cadastre.datastore.sqlite.SqliteStore store;
                        }
                        """);

        var violations = violations(Rules.WIRE_KNOWS_THE_REGISTRY_AND_JACKSON, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.wire.kubernetes.Planted");
    }

    @Test
    void linuxKnowsOnlyTheJdkAndAddresses() {
        Rules.LINUX_KNOWS_ONLY_THE_JDK_AND_ADDRESSES.check(PRODUCT);
    }

    @Test
    void linuxThatKnowsAnEngineIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine;
                        public class Decision {}
                        """,
                        """
                        package io.cadastre.linux;
                        class Planted {
                            io.cadastre.engine.Decision decision;
                        }
                        """);

        var violations = violations(Rules.LINUX_KNOWS_ONLY_THE_JDK_AND_ADDRESSES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.linux.Planted");
    }

    @Test
    void cniKnowsTheWire() {
        Rules.CNI_KNOWS_THE_WIRE.check(PRODUCT);
    }

    @Test
    void pluginThatKnowsTheAgentIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.agent;
                        public class Agent {}
                        """,
                        """
                        package io.cadastre.cni.doorbell;
                        class Planted {
                            io.cadastre.agent.Agent agent;
                        }
                        """);

        var violations = violations(Rules.CNI_KNOWS_THE_WIRE, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.cni.doorbell.Planted");
    }

    @Test
    void agentKnowsTheWireAndLinux() {
        Rules.AGENT_KNOWS_THE_WIRE_AND_LINUX.check(PRODUCT);
    }

    @Test
    void agentThatKnowsThePluginIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.cni.doorbell;
                        public class Doorbell {}
                        """,
                        """
                        package io.cadastre.agent;
                        class Planted {
                            io.cadastre.cni.doorbell.Doorbell doorbell;
                        }
                        """);

        var violations = violations(Rules.AGENT_KNOWS_THE_WIRE_AND_LINUX, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.agent.Planted");
    }

    @Test
    void agentThatKnowsAStoreIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.datastore.etcd;
                        public class EtcdStore {}
                        """,
                        """
                        package io.cadastre.agent.calico;
                        class Planted {
                            io.cadastre.datastore.etcd.EtcdStore store;
                        }
                        """);

        var violations = violations(Rules.AGENT_KNOWS_THE_WIRE_AND_LINUX, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.agent.calico.Planted");
    }

    @Test
    void controllerKnowsTheWire() {
        Rules.CONTROLLER_KNOWS_THE_WIRE.check(PRODUCT);
    }

    @Test
    void controllerThatKnowsTheAgentIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.agent;
                        public class Agent {}
                        """,
                        """
                        package io.cadastre.controller;
                        class Planted {
                            io.cadastre.agent.Agent agent;
                        }
                        """);

        var violations = violations(Rules.CONTROLLER_KNOWS_THE_WIRE, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.controller.Planted");
    }

    @Test
    void cliLeavesDriversToTheStores() {
        Rules.CLI_LEAVES_DRIVERS_TO_THE_STORES.check(PRODUCT);
    }

    @Test
    void commandThatSpeaksSqlIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.cli;
                        class Planted {
                            java.sql.Connection connection;
                        }
                        """);

        var violations = violations(Rules.CLI_LEAVES_DRIVERS_TO_THE_STORES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.cli.Planted");
    }

    @Test
    void nothingDependsOnVerification() {
        Rules.NOTHING_DEPENDS_ON_VERIFICATION.check(PRODUCT);
    }

    @Test
    void productThatKnowsItsTestsIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.verification;
                        public class Simulator {}
                        """,
                        """
                        package io.cadastre.cli;
                        class Planted {
                            io.cadastre.verification.Simulator simulator;
                        }
                        """);

        var violations = violations(Rules.NOTHING_DEPENDS_ON_VERIFICATION, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.cli.Planted");
    }

    @Test
    void everyClassLiesInAModule() {
        Rules.EVERY_CLASS_LIES_IN_A_MODULE.check(PRODUCT);
    }

    @Test
    void classOutsideOfAllModulesIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.leftover;
                        class Planted {}
                        """);

        var violations = violations(Rules.EVERY_CLASS_LIES_IN_A_MODULE, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.leftover.Planted");
    }

    @Test
    void enginesAreStrangers() {
        Rules.ENGINES_ARE_STRANGERS.check(PRODUCT);
    }

    @Test
    void engineThatKnowsAnotherEngineIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine.pool;
                        public class Pool {}
                        """,
                        """
                        package io.cadastre.engine.block;
                        class Planted {
                            io.cadastre.engine.pool.Pool pool;
                        }
                        """);

        var violations = violations(Rules.ENGINES_ARE_STRANGERS, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.engine.block.Planted");
    }

    @Test
    void whatEnginesShareKnowsNoEngine() {
        Rules.WHAT_ENGINES_SHARE_KNOWS_NO_ENGINE.check(PRODUCT);
    }

    @Test
    void sharedWordThatKnowsAnEngineIsFound() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine.pool;
                        public class Pool {}
                        """,
                        """
                        package io.cadastre.engine;
                        class Planted {
                            io.cadastre.engine.pool.Pool pool;
                        }
                        """);

        var violations = violations(Rules.WHAT_ENGINES_SHARE_KNOWS_NO_ENGINE, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.engine.Planted");
    }

    @Test
    void enginesReadNoClock() {
        Rules.ENGINES_READ_NO_CLOCK.check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.time.Instant.now()",
                "java.time.LocalDate.now()",
                "java.time.Clock.systemUTC()",
                "System.currentTimeMillis()",
                "System.nanoTime()",
                "new java.util.Date()",
                "(java.util.function.Supplier<Object>) java.time.Instant::now",
                "(java.util.function.Function<java.time.InstantSource, Object>) source ->"
                        + " source.instant()"
            })
    void engineThatReadsAClockIsFound(String expression) {
        var planted = compiled(folder, methodReturning("io.cadastre.engine.block", expression));

        var violations = violations(Rules.ENGINES_READ_NO_CLOCK, planted);

        assertThat(violations)
                .isNotEmpty()
                .allMatch(found -> found.contains("io.cadastre.engine.block.Planted"));
    }

    @Test
    void engineMayBeGivenAnInstant() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine.block;
                        class Planted {
                            boolean over(java.time.Instant now, java.time.Instant end) {
                                return now.plusSeconds(1).isAfter(end);
                            }
                        }
                        """);

        var violations = violations(Rules.ENGINES_READ_NO_CLOCK, planted);

        assertThat(violations).isEmpty();
    }

    @Test
    void enginesRollNoDice() {
        Rules.ENGINES_ROLL_NO_DICE.check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Math.random()",
                "java.util.concurrent.ThreadLocalRandom.current()",
                "new java.util.Random()",
                "new java.util.SplittableRandom(1)",
                "java.util.UUID.randomUUID()",
                "java.util.random.RandomGenerator.getDefault()",
                "(java.util.function.Supplier<Object>) java.util.Random::new"
            })
    void engineThatRollsDiceIsFound(String expression) {
        var planted = compiled(folder, methodReturning("io.cadastre.engine.block", expression));

        var violations = violations(Rules.ENGINES_ROLL_NO_DICE, planted);

        assertThat(violations)
                .isNotEmpty()
                .allMatch(found -> found.contains("io.cadastre.engine.block.Planted"));
    }

    @Test
    void engineMayBeGivenAGenerator() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine.block;
                        class Planted {
                            int choose(java.util.random.RandomGenerator chance, int count) {
                                return chance.nextInt(count);
                            }
                        }
                        """);

        var violations = violations(Rules.ENGINES_ROLL_NO_DICE, planted);

        assertThat(violations).isEmpty();
    }

    @Test
    void enginesIterateInOneOrder() {
        Rules.ENGINES_ITERATE_IN_ONE_ORDER.check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.Set.of(1, 2)",
                "java.util.Set.copyOf(java.util.List.of(1))",
                "java.util.Map.of(1, 2)",
                "java.util.Map.copyOf(new java.util.TreeMap<>())",
                "java.util.Map.ofEntries()",
                "new java.util.HashSet<>()",
                "new java.util.HashMap<>()",
                "java.util.stream.Stream.of(1).collect(java.util.stream.Collectors.toSet())"
            })
    void engineThatIteratesInAnyOrderIsFound(String expression) {
        var planted = compiled(folder, methodReturning("io.cadastre.engine.block", expression));

        var violations = violations(Rules.ENGINES_ITERATE_IN_ONE_ORDER, planted);

        assertThat(violations)
                .isNotEmpty()
                .allMatch(found -> found.contains("io.cadastre.engine.block.Planted"));
    }

    @Test
    void engineMayUseListsAndSortedMaps() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.engine.block;
                        class Planted {
                            java.util.Map<String, Integer> free = new java.util.TreeMap<>();
                            java.util.List<Integer> order = java.util.List.of(1, 2);
                            java.util.Set<Integer> kept = new java.util.LinkedHashSet<>(order);
                        }
                        """);

        var violations = violations(Rules.ENGINES_ITERATE_IN_ONE_ORDER, planted);

        assertThat(violations).isEmpty();
    }

    @Test
    void namesSayWhatAThingIs() {
        Rules.NAMES_SAY_WHAT_A_THING_IS.check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BlockImpl",
                "BlockManager",
                "BlockHelper",
                "BlockData",
                "BlockUtil",
                "BlockUtils",
                "AbstractBlock"
            })
    void nameThatSaysHowAThingIsMadeIsFound(String name) {
        var planted = compiled(folder, "package io.cadastre.registry; class %s {}".formatted(name));

        var violations = violations(Rules.NAMES_SAY_WHAT_A_THING_IS, planted);

        assertThat(violations).singleElement().asString().contains(name);
    }

    @Test
    void onlyMainReadsTheWallClock() {
        Rules.ONLY_MAIN_READS_THE_WALL_CLOCK.check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.time.Instant.now()",
                "java.time.InstantSource.system()",
                "java.time.Clock.systemUTC()",
                "System.currentTimeMillis()",
                "(java.util.function.Supplier<Object>) java.time.Instant::now"
            })
    void wallClockOutsideOfMainIsFound(String expression) {
        var planted = compiled(folder, methodReturning("io.cadastre.registry", expression));

        var violations = violations(Rules.ONLY_MAIN_READS_THE_WALL_CLOCK, planted);

        assertThat(violations)
                .isNotEmpty()
                .allMatch(found -> found.contains("io.cadastre.registry.Planted"));
    }

    @Test
    void mainMayReadTheWallClock() {
        var planted =
                compiled(
                        folder,
                        """
                        package io.cadastre.cli;
                        class Main {
                            java.time.InstantSource clock = java.time.InstantSource.system();
                        }
                        """,
                        "package io.cadastre.cli; class Command {}");

        var violations = violations(Rules.ONLY_MAIN_READS_THE_WALL_CLOCK, planted);

        assertThat(violations).isEmpty();
    }

    @Test
    void packagesAreConcepts() {
        Rules.PACKAGES_ARE_CONCEPTS.check(PRODUCT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"util", "common", "types", "helper", "manager"})
    void packageWithoutAConceptIsFound(String name) {
        var planted =
                compiled(
                        folder,
                        "package io.cadastre.registry.%s; class Planted {}".formatted(name));

        var violations = violations(Rules.PACKAGES_ARE_CONCEPTS, planted);

        assertThat(violations).singleElement().asString().contains("Planted");
    }

    private static String methodReturning(String name, String expression) {
        return """
        package %s;
        class Planted {
            Object answer() {
                return %s;
            }
        }
        """
                .formatted(name, expression);
    }

    /// One line for each violation, which names the class at fault.
    private static List<String> violations(ArchRule rule, JavaClasses planted) {
        return rule.evaluate(planted).getFailureReport().getDetails();
    }
}
