package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.MasterSubnets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The physical function of a virtual one, in a folder like that of sysfs.
class PhysicalFunctionsTest {

    @TempDir
    Path devices;

    @Test
    void virtualFunctionLeadsToTheInterfaceOfItsPhysicalOne() throws Exception {
        Files.createDirectories(devices.resolve("0000:01:00.0").resolve("net").resolve("ens1f0"));
        Files.createDirectories(devices.resolve("0000:01:00.1"));
        Files.createSymbolicLink(devices.resolve("0000:01:00.1").resolve("physfn"), Path.of("..", "0000:01:00.0"));
        var functions = new PhysicalFunctions(devices);

        assertThat(functions.find("0000:01:00.1")).contains("ens1f0");
        assertThat(functions.find("0000:01:00.0")).isEmpty();
        assertThat(functions.find("0000:02:00.0")).isEmpty();
        assertThat(functions.find("../0000:01:00.1")).isEmpty();
    }

    @Test
    void addressesOfAnInterfaceOfTheNodeAreItsSubnets() {
        assertThat(PhysicalFunctions.onHost("lo")).isInstanceOfSatisfying(MasterSubnets.Known.class, known -> {
            assertThat(known.master()).isEqualTo("lo");
            assertThat(known.addresses()).contains(Address.parse("127.0.0.1"));
        });
        assertThat(PhysicalFunctions.onHost("no-such"))
                .isEqualTo(new MasterSubnets.Unknown("failed to get link \"no-such\" on the host"));
    }
}
