package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Ledger.Verification;
import io.cadastre.registry.LedgerRetention.Bound;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every minute a pod gets an address and gives it back half a minute later; another holds one from the
/// start.
@Timeout(60)
class LedgerRetentionTest {

    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final int PODS = 600;
    private static final Instant END = NOON.plus(Duration.ofMinutes(PODS));

    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final List<String> log = new ArrayList<>();
    private long revision;

    private static Holding held(String address, String pod) {
        return new Holding(Range.of(Address.parse(address)), Holding.Level.ENDPOINT, "pod/" + pod, Holding.State.HELD);
    }

    private void write() {
        append(NOON, List.of(held("10.0.0.9", "lasting")), List.of());
        for (int pod = 0; pod < PODS; pod++) {
            var holding = List.of(held("10.0.0.5", Integer.toString(pod)));
            append(NOON.plusSeconds(60L * pod), holding, List.of());
            append(NOON.plusSeconds(60L * pod + 30), List.of(), holding);
        }
    }

    private void append(Instant at, List<Holding> granted, List<Holding> returned) {
        revision++;
        ledger.append(
                List.of(new Ledger.Entry(at, "request", Fact.text("done"), 1, revision, granted, returned, List.of())));
    }

    private LedgerRetention retention(Bound bound, Pause pause) {
        return new LedgerRetention(ledger, List.of(bound), InstantSource.fixed(END), pause, log::add);
    }

    private long entries() {
        assertThat(ledger.verify(Ledger.Writers.ALL_RECORDED)).isInstanceOf(Verification.Sound.class);
        return ((Verification.Sound) ledger.verify(Ledger.Writers.ALL_RECORDED)).entries();
    }

    private void requireLasting() {
        assertThat(ledger.holders(Address.parse("10.0.0.9"), END, Ledger.Writers.ALL_RECORDED)
                        .periods())
                .singleElement()
                .satisfies(period -> assertThat(period.from()).isEqualTo(NOON));
    }

    @Test
    void entriesOlderThanTheBoundGoAndTheCutIsProved() {
        write();

        retention(new Bound.Age(Duration.ofMinutes(100)), _ -> {}).look();

        // A hundred pods, the cut and what tells of it.
        assertThat(entries()).isEqualTo(2 * 100 + 2);
        requireLasting();
        assertThat(log).singleElement().asString().startsWith("trimmed the ledger: entries 1 to ");
    }

    @Test
    void ledgerWithinItsBoundsIsLeftAlone() {
        write();

        retention(new Bound.Age(Duration.ofDays(1)), _ -> {}).look();
        retention(new Bound.Size(10_000_000), _ -> {}).look();

        assertThat(entries()).isEqualTo(2 * PODS + 1);
        assertThat(log).isEmpty();
    }

    @Test
    void ledgerThatHasGrownIsCutBelowItsBoundSoThatTheNextLookCutsNothing() {
        write();
        var bounded = retention(new Bound.Size(50_000), _ -> {});

        bounded.look();
        long left = entries();
        bounded.look();

        assertThat(left).isLessThan(PODS);
        assertThat(entries()).isEqualTo(left);
        assertThat(log).hasSize(1);
        requireLasting();
    }

    @Test
    void looksAreMadeWhileItIsOpenAndEndWithIt() throws InterruptedException {
        write();
        var pauses = new ArrayList<Duration>();
        var looked = new CountDownLatch(2);

        try (var _ = retention(new Bound.Age(Duration.ofHours(2)), duration -> {
                    pauses.add(duration);
                    looked.countDown();
                    if (looked.getCount() == 0) {
                        new CountDownLatch(1).await();
                    }
                })
                .begin()) {
            looked.await();
        }

        assertThat(pauses).containsOnly(Duration.ofMinutes(5));
        assertThat(log).hasSize(1);
        assertThat(entries()).isLessThan(PODS);
    }

    @Test
    void lookThatFailsForWantOfMemoryIsLoggedAndTheNextOneIsMade() throws InterruptedException {
        var journal = new FailingJournal();
        journal.failLooks(new OutOfMemoryError("no room"));
        var looks = new CountDownLatch(3);

        try (var _ = new LedgerRetention(
                        new Ledger(journal),
                        List.of(new Bound.Size(1)),
                        InstantSource.fixed(END),
                        _ -> {
                            looks.countDown();
                            if (looks.getCount() == 0) {
                                new CountDownLatch(1).await();
                            }
                        },
                        log::add)
                .begin()) {
            looks.await();
        }

        assertThat(log)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .isEqualTo("the ledger is not trimmed:" + " java.lang.OutOfMemoryError: no room"));
    }
}
