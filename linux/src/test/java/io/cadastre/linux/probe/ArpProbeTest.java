package io.cadastre.linux.probe;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.linux.Errno;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.Neighbour;
import io.cadastre.linux.NetworkNamespaces;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ArpProbeTest {

    private static final ProbeTiming PATIENT = new ProbeTiming(10, Duration.ofSeconds(1));
    private static final ProbeTiming HASTY = new ProbeTiming(2, Duration.ofMillis(30));

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final NetworkNamespaces.Wire wire = namespaces.wire();

    @Test
    void neighbourThatHasTheAddressIsFound() {
        wire.onThere().addresses().add(LinkAddress.within(wire.right().index(), address("10.0.0.7"), 24));

        var holder = new ArpProbe(wire.here(), wire.left(), PATIENT).findHolder(address("10.0.0.7"));

        assertThat(holder).contains(wire.right().mac());
    }

    @Test
    void addressWithoutAHolderIsFreeAfterTheLastProbe() {
        wire.onThere().addresses().add(LinkAddress.within(wire.right().index(), address("10.0.0.7"), 24));
        var probe = new ArpProbe(wire.here(), wire.left(), HASTY);
        long start = System.nanoTime();

        var holder = probe.findHolder(address("10.0.0.8"));

        assertThat(holder).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(60));
    }

    /// Who hears the other gives up, and the other may then be left alone.
    @Test
    void ofTwoThatProbeForOneAddressAtMostOneFindsItFree() {
        var timing = new ProbeTiming(5, Duration.ofMillis(200));
        var here = new ArpProbe(wire.here(), wire.left(), timing);
        var there = new ArpProbe(wire.there(), wire.right(), timing);

        var other =
                CompletableFuture.supplyAsync(() -> there.findHolder(address("10.0.0.9")), Thread::startVirtualThread);
        var heardHere = here.findHolder(address("10.0.0.9"));
        var heardThere = other.join();

        assertThat(heardHere.isPresent() || heardThere.isPresent()).isTrue();
        heardHere.ifPresent(heard -> assertThat(heard).isEqualTo(wire.right().mac()));
        heardThere.ifPresent(heard -> assertThat(heard).isEqualTo(wire.left().mac()));
    }

    @Test
    void gatewayAnswersWhoAsksWithAnAddress() {
        wire.onThere().addresses().add(LinkAddress.within(wire.right().index(), address("10.0.0.1"), 24));
        var probe = new ArpProbe(wire.here(), wire.left(), PATIENT);

        var gateway = probe.findGateway(address("10.0.0.7"), address("10.0.0.1"));

        assertThat(gateway).contains(wire.right().mac());
    }

    @Test
    void silentGatewayIsNotFound() {
        var probe = new ArpProbe(wire.here(), wire.left(), HASTY);

        var gateway = probe.findGateway(address("10.0.0.7"), address("10.0.0.1"));

        assertThat(gateway).isEmpty();
    }

    @Test
    void announcementCorrectsWhatTheNeighbourKnew() {
        int right = wire.right().index();
        var neighbours = wire.onThere().neighbours();
        wire.onThere().addresses().add(LinkAddress.within(right, address("10.0.0.1"), 24));
        neighbours.put(new Neighbour(right, address("10.0.0.7"), mac("02:00:00:00:00:99"), Neighbour.State.STALE));

        new ArpProbe(wire.here(), wire.left(), HASTY).announce(address("10.0.0.7"));

        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(neighbours.ofLink(right))
                        .filteredOn(found -> found.address().equals(address("10.0.0.7")))
                        .extracting(Neighbour::mac)
                        .containsExactly(wire.left().mac()));
    }

    @Test
    void linkThatIsDownIsATypedError() {
        wire.onHere().links().setDown(wire.left().index());
        var probe = new ArpProbe(wire.here(), wire.left(), HASTY);

        var failure = catchThrowableOfType(LinuxException.class, () -> probe.findHolder(address("10.0.0.7")));

        assertThat(failure.errno()).isEqualTo(Errno.ENETDOWN);
    }
}
