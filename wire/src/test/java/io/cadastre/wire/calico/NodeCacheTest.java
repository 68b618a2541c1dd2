package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.NodeCache.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How many blocks a host has is read and not compared when it claims another, so what is known of that
/// must not lag behind what the host itself did.
class NodeCacheTest {

    private static final Owner OWNER = Owner.host("node-a");
    private static final Affinity AFFINITY = new Affinity(OWNER, Prefix.parse("10.0.0.0/26"), Affinity.State.CONFIRMED);
    private static final CalicoKey KEY = new CalicoKey.OfAffinity(OWNER, AFFINITY.cidr());

    private Instant now = AllocatorProcess.NOW;
    private final NodeCache cache = new NodeCache(OWNER, () -> now);

    @BeforeEach
    void fillShelves() {
        for (var subject : Subject.values()) {
            cache.fill(subject, 1, List.of());
        }
    }

    private List<Affinity> known() {
        return cache.recall().view().affinitiesOf(OWNER, Family.IPV4);
    }

    private static CalicoSnapshot readAt(long revision) {
        var entry = new StoredDocument(KEY, AffinityDocument.create(AFFINITY), revision);
        return CalicoSnapshot.NONE.with(KEY, Optional.of(entry));
    }

    @Test
    void affinityThatAPageHasReadIsKnownUntilTheWatchHasGotThere() {
        cache.keep(readAt(5), List.of());
        var atOnce = known();

        cache.fill(Subject.AFFINITIES, 6, List.of());

        assertThat(atOnce).containsExactly(AFFINITY);
        assertThat(known()).isEmpty();
    }

    @Test
    void whatAPageHasWrittenIsKnownWhenAListThatWasReadBeforeArrivesAfter() {
        cache.clear(Subject.AFFINITIES);
        cache.keep(readAt(5), List.of());

        cache.fill(Subject.AFFINITIES, 4, List.of());

        assertThat(known()).containsExactly(AFFINITY);
    }

    @Test
    void whatAPageHasWrittenIsNotServedWhileNothingIsWatched() {
        cache.clear(Subject.AFFINITIES);
        cache.keep(readAt(5), List.of());

        assertThatExceptionOfType(NotReadException.class).isThrownBy(this::known);
    }

    @Test
    void affinityThatTheWatchHasSeenGoDoesNotComeBack() {
        cache.fill(Subject.AFFINITIES, 6, List.of());

        cache.keep(readAt(5), List.of());

        assertThat(known()).isEmpty();
    }

    @Test
    void afterALostAnswerTheWatchIsNotBelievedForAWhile() {
        cache.forget();

        assertThatExceptionOfType(NotReadException.class).isThrownBy(this::known);
        now = now.plusSeconds(10);
        assertThat(known()).isEmpty();
    }
}
