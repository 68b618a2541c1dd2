package io.cadastre.agent.hostlocal;

import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Recorder;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// Records in the ledger what was decided about folders. A folder has no revisions, so the order of the
/// entries is the order in which things happened.
final class FolderLedger {

    private final Recorder ledger;
    private final InstantSource clock;

    /// Guards `unwritten`.
    private final ReentrantLock lock = new ReentrantLock();

    /// What was done and could not be written yet: one entry for each call that was under way when the
    /// ledger failed. No further call begins before it is written.
    private List<Ledger.Entry> unwritten = List.of();

    FolderLedger(Recorder ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /// Whether an entry is in the ledger.
    enum AppendResult {
        WRITTEN,
        /// It will be before anything else happens.
        OWED,
        /// The ledger can never take it, so that it is not owed: everything after it would wait for ever.
        REFUSED
    }

    /// Writes the entries that are owed.
    ///
    /// @throws CniException if that still fails: nothing may be done that cannot be recorded
    void settle() {
        try {
            writeOwed();
        } catch (RuntimeException failure) {
            throw failed(String.valueOf(failure.getMessage()));
        }
    }

    private void writeOwed() {
        lock.lock();
        try {
            // The attempt before may have failed after it had its effect.
            while (!unwritten.isEmpty()) {
                ledger.appendUnlessThere(List.of(unwritten.getFirst()));
                unwritten = unwritten.subList(1, unwritten.size());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Records what was done. A decision that changed nothing is not recorded.
    ///
    /// @param holder what is known of the holder beside what its file says
    AppendResult note(String words, HolderFacts holder, Decision<? extends Change, ?> decision) {
        if (decision.changes().isEmpty()) {
            return AppendResult.WRITTEN;
        }
        var entry = new Ledger.Entry(
                clock.instant(),
                words,
                Fact.of(decision.outcome()),
                1,
                0,
                holdings(decision, Change::granted, holder),
                holdings(decision, Change::returned, holder),
                decision.because().stream().map(Fact::of).toList());
        try {
            // What is taken back was given before.
            writeOwed();
            ledger.append(List.of(entry));
            return AppendResult.WRITTEN;
        } catch (IllegalArgumentException breach) {
            return AppendResult.REFUSED;
        } catch (RuntimeException failure) {
            owe(entry);
            return AppendResult.OWED;
        }
    }

    private void owe(Ledger.Entry entry) {
        lock.lock();
        try {
            var more = new ArrayList<>(unwritten);
            more.add(entry);
            unwritten = List.copyOf(more);
        } finally {
            lock.unlock();
        }
    }

    private static List<Holding> holdings(
            Decision<? extends Change, ?> decision, Function<Change, List<Holding>> side, HolderFacts holder) {
        return decision.changes().stream()
                .flatMap(change -> side.apply(change).stream())
                .map(holding -> holding.withFacts(joined(holding.facts(), holder)))
                .toList();
    }

    private static HolderFacts joined(HolderFacts file, HolderFacts holder) {
        return holder.withNetworkInterface(file.networkInterface()).withHandle(file.handle());
    }

    static CniException failed(String why) {
        return new CniException(CniError.of(CniCode.TRY_AGAIN_LATER, "the ledger cannot be written", why));
    }
}
