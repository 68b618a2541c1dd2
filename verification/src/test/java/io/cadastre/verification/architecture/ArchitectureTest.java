package io.cadastre.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/// Each rule holds for the product. That it finds a violation is shown by planted ones: of
/// [ModuleViolationTest], [EngineViolationTest] and [HabitViolationTest].
class ArchitectureTest {

    private static final JavaClasses PRODUCT = Product.classes();

    @Test
    void everyModuleIsExamined() {
        var packages = Product.modulePackages();

        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(PRODUCT)
                        .as("classes in %s", name)
                        .anyMatch(examined -> examined.getPackageName().startsWith(name)));
    }

    @Test
    void addressKnowsOnlyValues() {
        Rules.ADDRESS_KNOWS_ONLY_VALUES.check(PRODUCT);
    }

    @Test
    void engineKnowsOnlyValuesAndAddresses() {
        Rules.ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES.check(PRODUCT);
    }

    @Test
    void datastoreKnowsOnlyTheJdk() {
        Rules.DATASTORE_KNOWS_ONLY_THE_JDK.check(PRODUCT);
    }

    @Test
    void sqliteKnowsOnlyThePortAndSql() {
        Rules.SQLITE_KNOWS_ONLY_THE_PORT_AND_SQL.check(PRODUCT);
    }

    @Test
    void etcdKnowsOnlyThePortAndGrpc() {
        Rules.ETCD_KNOWS_ONLY_THE_PORT_AND_GRPC.check(PRODUCT);
    }

    @Test
    void kubernetesKnowsOnlyThePortAndItsClient() {
        Rules.KUBERNETES_KNOWS_ONLY_THE_PORT_AND_ITS_CLIENT.check(PRODUCT);
    }

    @Test
    void registryKnowsNoStoreButThePort() {
        Rules.REGISTRY_KNOWS_NO_STORE_BUT_THE_PORT.check(PRODUCT);
    }

    @Test
    void wireKnowsTheRegistryAndJackson() {
        Rules.WIRE_KNOWS_THE_REGISTRY_AND_JACKSON.check(PRODUCT);
    }

    @Test
    void linuxKnowsOnlyTheJdkAndAddresses() {
        Rules.LINUX_KNOWS_ONLY_THE_JDK_AND_ADDRESSES.check(PRODUCT);
    }

    @Test
    void cniKnowsTheWire() {
        Rules.CNI_KNOWS_THE_WIRE.check(PRODUCT);
    }

    @Test
    void agentKnowsTheWireAndLinux() {
        Rules.AGENT_KNOWS_THE_WIRE_AND_LINUX.check(PRODUCT);
    }

    @Test
    void controllerKnowsTheWire() {
        Rules.CONTROLLER_KNOWS_THE_WIRE.check(PRODUCT);
    }

    @Test
    void googleKnowsThePortToACloud() {
        Rules.GOOGLE_KNOWS_THE_PORT_TO_A_CLOUD.check(PRODUCT);
    }

    @Test
    void cliLeavesDriversToTheStores() {
        Rules.CLI_LEAVES_DRIVERS_TO_THE_STORES.check(PRODUCT);
    }

    @Test
    void commandsDoNotKnowTheEntryPoint() {
        Rules.COMMANDS_DO_NOT_KNOW_THE_ENTRY_POINT.check(PRODUCT);
    }

    @Test
    void commandsHaveNoCycles() {
        Rules.COMMANDS_HAVE_NO_CYCLES.check(PRODUCT);
    }

    @Test
    void nothingDependsOnVerification() {
        Rules.NOTHING_DEPENDS_ON_VERIFICATION.check(PRODUCT);
    }

    @Test
    void everyClassLiesInAModule() {
        Rules.EVERY_CLASS_LIES_IN_A_MODULE.check(PRODUCT);
    }

    @Test
    void enginesAreStrangers() {
        Rules.ENGINES_ARE_STRANGERS.check(PRODUCT);
    }

    @Test
    void whatEnginesShareKnowsNoEngine() {
        Rules.WHAT_ENGINES_SHARE_KNOWS_NO_ENGINE.check(PRODUCT);
    }

    @Test
    void enginesReadNoClock() {
        Rules.ENGINES_READ_NO_CLOCK.check(PRODUCT);
    }

    @Test
    void enginesRollNoDice() {
        Rules.ENGINES_ROLL_NO_DICE.check(PRODUCT);
    }

    @Test
    void enginesIterateInOneOrder() {
        Rules.ENGINES_ITERATE_IN_ONE_ORDER.check(PRODUCT);
    }

    @Test
    void namesSayWhatAThingIs() {
        Rules.NAMES_SAY_WHAT_A_THING_IS.check(PRODUCT);
    }

    @Test
    void onlyMainReadsTheWallClock() {
        Rules.ONLY_MAIN_READS_THE_WALL_CLOCK.check(PRODUCT);
    }

    @Test
    void packagesAreConcepts() {
        Rules.PACKAGES_ARE_CONCEPTS.check(PRODUCT);
    }
}
