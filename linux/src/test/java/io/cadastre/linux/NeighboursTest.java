package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.ip;
import static io.cadastre.linux.NetworkNamespaces.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class NeighboursTest {

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final NetworkNamespaces.Wire wire = namespaces.wire();
    private final Neighbours neighbours = wire.onHere().neighbours();
    private final int left = wire.left().index();

    @Test
    void permanentNeighboursOfBothFamiliesAreWrittenAndListed() {
        var four = Neighbour.permanent(left, address("169.254.1.1"), mac("ee:ee:ee:ee:ee:ee"));
        var six = Neighbour.permanent(left, address("fe80::1"), mac("02:00:00:00:00:01"));

        neighbours.put(four);
        neighbours.put(six);

        assertThat(neighbours.ofLink(left)).contains(four, six);
        assertThat(neighbours.list()).contains(four, six);
        assertThat(ip(wire.here(), "neigh")).contains("169.254.1.1 dev left lladdr ee:ee:ee:ee:ee:ee PERMANENT");
    }

    @Test
    void secondEntryTakesThePlaceOfTheFirst() {
        neighbours.put(Neighbour.permanent(left, address("10.0.0.1"), mac("02:00:00:00:00:01")));

        neighbours.put(Neighbour.permanent(left, address("10.0.0.1"), mac("02:00:00:00:00:02")));

        assertThat(neighbours.ofLink(left))
                .filteredOn(found -> found.address().equals(address("10.0.0.1")))
                .extracting(Neighbour::mac)
                .containsExactly(mac("02:00:00:00:00:02"));
    }

    @Test
    void deletedEntryIsGone() {
        neighbours.put(Neighbour.permanent(left, address("10.0.0.1"), mac("02:00:00:00:00:01")));

        neighbours.delete(left, address("10.0.0.1"));

        assertThat(neighbours.ofLink(left))
                .filteredOn(found -> found.state() == Neighbour.State.PERMANENT)
                .isEmpty();
        var refused = catchThrowableOfType(LinuxException.class, () -> neighbours.delete(left, address("10.0.0.99")));
        assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
    }
}
