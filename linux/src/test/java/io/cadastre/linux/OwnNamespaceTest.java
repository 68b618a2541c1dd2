package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The namespace that the process is in, for which no right is needed: these tests run as any user.
class OwnNamespaceTest {

    @ParameterizedTest
    @MethodSource("waysToIt")
    void workInTheOwnNamespaceIsDoneByTheCallingThread(Namespace own) {
        try (own) {
            assertThat(own.inside(Thread::currentThread)).isSameAs(Thread.currentThread());
        }
    }

    static Stream<Namespace> waysToIt() {
        return Stream.of(Namespace.current(), Namespace.open("/proc/self/ns/net"));
    }

    @Test
    void linksOfTheOwnNamespaceAreRead() {
        try (var own = Namespace.current();
                var netlink = Netlink.open(own)) {
            assertThat(netlink.links().find("lo")).isPresent();
        }
    }
}
