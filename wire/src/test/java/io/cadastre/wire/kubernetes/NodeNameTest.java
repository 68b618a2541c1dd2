package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNameTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "node-1", "ip-10-0-0-1.eu-west-1.compute.internal", "a--b"})
    void subdomainsAreNames(String name) {
        assertThat(NodeName.fault(name)).isEmpty();
        assertThat(NodeName.check(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "A", "node_1", "a..b", ".a", "a.", "a.-b", "a/b", "a b", "é", "a\n"})
    void otherTextsAreNot(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeName.check(name))
                .withMessageStartingWith("'%s' is not a node name: ".formatted(name));
    }

    @Test
    void aNameHasAtMost253Characters() {
        assertThat(NodeName.fault("a".repeat(253))).isEmpty();
        assertThat(NodeName.fault("a".repeat(254)))
                .contains("a node name of 254 characters is too long: it has at most 253");
    }
}
