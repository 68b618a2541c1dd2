package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VirtualMachineHandleTest {

    @Test
    void namesNetworkNamespaceAndMachine() {
        assertThat(VirtualMachineHandle.of("net1", "shop", "db")).isEqualTo("net1.vmi.shop.db");
    }

    @Test
    void networkWithoutANameIsCalicosOwn() {
        assertThat(VirtualMachineHandle.of("", "shop", "db")).isEqualTo("k8s-pod-network.vmi.shop.db");
    }

    @Test
    void handleOfAllowedLengthStays() {
        var machine = "m".repeat(VirtualMachineHandle.LENGTH_MAX - "net1.vmi.shop.".length());

        assertThat(VirtualMachineHandle.of("net1", "shop", machine))
                .hasSize(VirtualMachineHandle.LENGTH_MAX)
                .endsWith(machine);
    }

    /// The digest is that of `sha256sum` over the namespace, a dot and the name.
    @Test
    void longerHandleEndsInADigestThatEveryStoreTakes() {
        var machine = "m".repeat(VirtualMachineHandle.LENGTH_MAX - "net1.vmi.shop.".length() + 1);

        assertThat(VirtualMachineHandle.of("net1", "shop", machine))
                .isEqualTo("net1.vmi.xa66b1f9419b58ee33309debd7edb05b3cd5f4441");
        assertThat(VirtualMachineHandle.of("net1", "shop", machine + "m"))
                .isNotEqualTo(VirtualMachineHandle.of("net1", "shop", machine));
    }
}
