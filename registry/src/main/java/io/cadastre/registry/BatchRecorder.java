package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;

/// Records batches of requests in the ledger. For one thread at a time.
///
/// Nothing further is committed before what was committed is in the ledger: what it did not take is kept, and
/// written before the next batch is begun.
final class BatchRecorder {

    private final Recorder ledger;
    private final InstantSource clock;

    /// Entries of commits that the ledger did not take. While there are any nothing is committed, so there are
    /// never more than one batch.
    private List<Ledger.Entry> unrecorded = List.of();

    BatchRecorder(Recorder ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /// What a commit of the batch carries where the store keeps the ledger.
    Recording recording(List<? extends PendingRequest<?, ?, ?>> batch, int attempt) {
        return new Recording(ledger::commit, () -> entries(batch, attempt, 0));
    }

    private List<Ledger.Entry> entries(List<? extends PendingRequest<?, ?, ?>> batch, int attempt, long revision) {
        var now = clock.instant();
        return batch.stream()
                .flatMap(pending -> pending.entries(now, attempt, revision).stream())
                .toList();
    }

    /// Records a batch that was committed.
    ///
    /// @throws UnrecordedException if the ledger cannot be written
    void record(List<? extends PendingRequest<?, ?, ?>> batch, int attempt, Commit.Done done) {
        long revision =
                done.revisions().stream().mapToLong(Long::longValue).max().orElse(0);
        var entries = entries(batch, attempt, revision);
        try {
            ledger.append(entries);
        } catch (RuntimeException failure) {
            unrecorded = entries;
            throw new UnrecordedException(
                    "done at revision %d, but the ledger could not be written: %s"
                            .formatted(revision, failure.getMessage()),
                    failure);
        }
    }

    /// What was written is in the ledger before anything is decided anew: how that ends is not known
    /// yet.
    ///
    /// @throws UnsettledException if the ledger cannot be written
    void recordHalf(
            List<? extends PendingRequest<?, ?, ?>> batch,
            int attempt,
            Commit.Unknown unknown,
            List<PartialCommit> halves) {
        var now = clock.instant();
        var words = batch.stream().map(PendingRequest::words).collect(Collectors.joining("; "));
        var entries = halves.stream()
                .filter(PartialCommit::changesHoldings)
                .map(half -> new Ledger.Entry(
                        now,
                        words,
                        Fact.text(unknown.reason()),
                        attempt,
                        half.revision(),
                        half.granted(),
                        half.returned(),
                        List.of()))
                .toList();
        try {
            ledger.append(entries);
        } catch (RuntimeException failure) {
            unrecorded = entries;
            throw new UnsettledException("half done, and the ledger could not be written: " + failure.getMessage());
        }
    }

    /// Records what was committed before and is not in the ledger. An attempt to write it may have failed
    /// after it had its effect.
    ///
    /// @throws UnsettledException if the ledger cannot be written
    void recordLeftOver() {
        if (unrecorded.isEmpty()) {
            return;
        }
        try {
            ledger.appendUnlessThere(unrecorded);
            unrecorded = List.of();
        } catch (RuntimeException failure) {
            throw new UnsettledException("not begun, since the ledger cannot be written: " + failure.getMessage());
        }
    }
}
