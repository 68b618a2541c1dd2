package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Unread;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.Shelves.Subject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How many blocks a host has is read and not compared when it claims another, so what is known of that
/// must not lag behind what the host itself did.
class ShelvesTest {

    private static final Owner OWNER = Owner.host("node-a");
    private static final Affinity AFFINITY =
            new Affinity(OWNER, Prefix.parse("10.0.0.0/26"), Affinity.State.CONFIRMED);
    private static final CalicoKey KEY = new CalicoKey.OfAffinity(OWNER, AFFINITY.cidr());

    private Instant now = Office.NOW;
    private final Shelves shelves = new Shelves(OWNER, () -> now);

    @BeforeEach
    void fillShelves() {
        for (var subject : Subject.values()) {
            shelves.fill(subject, 1, List.of());
        }
    }

    private List<Affinity> known() {
        return shelves.recall().view().affinitiesOf(OWNER, Family.IPV4);
    }

    private static Knowledge readAt(long revision) {
        var entry = new Entry(KEY, AffinityDocument.create(AFFINITY), revision);
        return Knowledge.NONE.knowing(KEY, Optional.of(entry));
    }

    @Test
    void affinityThatAPageHasReadIsKnownUntilTheWatchHasGotThere() {
        shelves.keep(readAt(5), List.of());
        var atOnce = known();

        shelves.fill(Subject.AFFINITIES, 6, List.of());

        assertThat(atOnce).containsExactly(AFFINITY);
        assertThat(known()).isEmpty();
    }

    @Test
    void affinityThatTheWatchHasSeenGoDoesNotComeBack() {
        shelves.fill(Subject.AFFINITIES, 6, List.of());

        shelves.keep(readAt(5), List.of());

        assertThat(known()).isEmpty();
    }

    @Test
    void afterALostAnswerTheWatchIsNotBelievedForAWhile() {
        shelves.forget();

        assertThatExceptionOfType(Unread.class).isThrownBy(this::known);
        now = now.plusSeconds(10);
        assertThat(known()).isEmpty();
    }
}
