package io.cadastre.verification.architecture;

import static io.cadastre.verification.architecture.Planted.compiled;
import static io.cadastre.verification.architecture.Planted.declaring;
import static io.cadastre.verification.architecture.Planted.knowing;
import static io.cadastre.verification.architecture.Planted.violations;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A class that knows another module than it may is found.
class ModuleViolationTest {

    @TempDir
    Path folder;

    @Test
    void addressThatReadsAFileIsFound() {
        var planted = compiled(folder, knowing("io.cadastre.address", "java.nio.file.Path"));

        var violations = violations(Rules.ADDRESS_KNOWS_ONLY_VALUES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.address.Planted");
    }

    @Test
    void engineThatKnowsTheDatastoreIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.datastore.Store"),
                knowing("io.cadastre.engine.block", "io.cadastre.datastore.Store"));

        var violations = violations(Rules.ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.engine.block.Planted");
    }

    @Test
    void engineThatTakesALockIsFound() {
        var planted = compiled(folder, knowing("io.cadastre.engine.block", "java.util.concurrent.locks.Lock"));

        var violations = violations(Rules.ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.engine.block.Planted");
    }

    @Test
    void portThatKnowsOneOfItsStoresIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.datastore.sqlite.SqliteStore"),
                knowing("io.cadastre.datastore", "io.cadastre.datastore.sqlite.SqliteStore"));

        var violations = violations(Rules.DATASTORE_KNOWS_ONLY_THE_JDK, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.datastore.Planted");
    }

    @Test
    void memoryStoreThatSpeaksSqlIsFound() {
        var planted = compiled(folder, knowing("io.cadastre.datastore.memory", "java.sql.Connection"));

        var violations = violations(Rules.DATASTORE_KNOWS_ONLY_THE_JDK, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.datastore.memory.Planted");
    }

    @Test
    void storeThatKnowsAddressesIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.address.Prefix"),
                knowing("io.cadastre.datastore.sqlite", "io.cadastre.address.Prefix"));

        var violations = violations(Rules.SQLITE_KNOWS_ONLY_THE_PORT_AND_SQL, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.datastore.sqlite.Planted");
    }

    @Test
    void storeThatKnowsAnotherStoreIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.datastore.sqlite.SqliteStore"),
                knowing("io.cadastre.datastore.etcd", "io.cadastre.datastore.sqlite.SqliteStore"));

        var violations = violations(Rules.ETCD_KNOWS_ONLY_THE_PORT_AND_GRPC, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.datastore.etcd.Planted");
    }

    @Test
    void storeThatKnowsADialectIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.wire.calico.CalicoMap"),
                knowing("io.cadastre.datastore.kubernetes", "io.cadastre.wire.calico.CalicoMap"));

        var violations = violations(Rules.KUBERNETES_KNOWS_ONLY_THE_PORT_AND_ITS_CLIENT, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.datastore.kubernetes.Planted");
    }

    @Test
    void registryThatKnowsAStoreIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.datastore.etcd.EtcdStore"),
                knowing("io.cadastre.registry", "io.cadastre.datastore.etcd.EtcdStore"));

        var violations = violations(Rules.REGISTRY_KNOWS_NO_STORE_BUT_THE_PORT, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.registry.Planted");
    }

    @Test
    void wireThatKnowsAStoreIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.datastore.sqlite.SqliteStore"),
                knowing("io.cadastre.wire.kubernetes", "io.cadastre.datastore.sqlite.SqliteStore"));

        var violations = violations(Rules.WIRE_KNOWS_THE_REGISTRY_AND_JACKSON, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.wire.kubernetes.Planted");
    }

    @Test
    void linuxThatKnowsAnEngineIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.engine.Decision"),
                knowing("io.cadastre.linux", "io.cadastre.engine.Decision"));

        var violations = violations(Rules.LINUX_KNOWS_ONLY_THE_JDK_AND_ADDRESSES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.linux.Planted");
    }

    @Test
    void pluginThatKnowsTheAgentIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.agent.Agent"),
                knowing("io.cadastre.cni.doorbell", "io.cadastre.agent.Agent"));

        var violations = violations(Rules.CNI_KNOWS_THE_WIRE, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.cni.doorbell.Planted");
    }

    @Test
    void agentThatKnowsThePluginIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.cni.doorbell.Doorbell"),
                knowing("io.cadastre.agent", "io.cadastre.cni.doorbell.Doorbell"));

        var violations = violations(Rules.AGENT_KNOWS_THE_WIRE_AND_LINUX, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.agent.Planted");
    }

    @Test
    void agentThatKnowsAStoreIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.datastore.etcd.EtcdStore"),
                knowing("io.cadastre.agent.calico", "io.cadastre.datastore.etcd.EtcdStore"));

        var violations = violations(Rules.AGENT_KNOWS_THE_WIRE_AND_LINUX, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.agent.calico.Planted");
    }

    @Test
    void controllerThatKnowsTheAgentIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.agent.Agent"),
                knowing("io.cadastre.controller", "io.cadastre.agent.Agent"));

        var violations = violations(Rules.CONTROLLER_KNOWS_THE_WIRE, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.controller.Planted");
    }

    @Test
    void commandThatSpeaksSqlIsFound() {
        var planted = compiled(folder, knowing("io.cadastre.cli", "java.sql.Connection"));

        var violations = violations(Rules.CLI_LEAVES_DRIVERS_TO_THE_STORES, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.cli.Planted");
    }

    @Test
    void commandThatKnowsTheEntryPointIsFound() {
        var planted = compiled(
                folder, declaring("io.cadastre.cli.Main"), knowing("io.cadastre.cli.ipam", "io.cadastre.cli.Main"));

        var violations = violations(Rules.COMMANDS_DO_NOT_KNOW_THE_ENTRY_POINT, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.cli.ipam.Planted");
    }

    @Test
    void commandsThatKnowEachOtherAreFound() {
        var planted = compiled(
                folder,
                "package io.cadastre.cli.run; public class Run { io.cadastre.cli.ipam.Ipam known; }",
                "package io.cadastre.cli.ipam; public class Ipam { io.cadastre.cli.run.Run known; }");

        var violations = violations(Rules.COMMANDS_HAVE_NO_CYCLES, planted);

        assertThat(violations)
                .singleElement()
                .asString()
                .contains("io.cadastre.cli.ipam.Ipam", "io.cadastre.cli.run.Run");
    }

    @Test
    void productThatKnowsItsTestsIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.verification.Simulator"),
                knowing("io.cadastre.cli", "io.cadastre.verification.Simulator"));

        var violations = violations(Rules.NOTHING_DEPENDS_ON_VERIFICATION, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.cli.Planted");
    }

    @Test
    void classOutsideOfAllModulesIsFound() {
        var planted = compiled(folder, declaring("io.cadastre.leftover.Planted"));

        var violations = violations(Rules.EVERY_CLASS_LIES_IN_A_MODULE, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.leftover.Planted");
    }
}
