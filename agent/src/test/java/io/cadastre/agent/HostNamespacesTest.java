package io.cadastre.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.wire.cni.Namespaces.Relation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostNamespacesTest {

    @ParameterizedTest
    @CsvSource({
        "/proc/self/ns/net, SAME",
        "/proc/self/ns/mnt, OTHER",
        "/proc/self/ns/none, NOT_OPENED",
        "/none, NOT_OPENED"
    })
    void aNamespaceIsWhatItsFileIs(String path, Relation relation) {
        assertThat(new HostNamespaces().relation(path)).isEqualTo(relation);
    }

    @Test
    void anInvalidPathIsNotOpened() {
        assertThat(new HostNamespaces().relation("\0")).isEqualTo(Relation.NOT_OPENED);
    }
}
