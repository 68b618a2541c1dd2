package io.cadastre.datastore;

import java.time.Duration;

/// A store as the parts of its contract see it.
interface TestedStore {

    /// Long enough for any call that ends at all.
    Duration AMPLE = Duration.ofSeconds(60);

    /// Short enough to be waited for in a test.
    Duration SHORT = Duration.ofSeconds(1);

    /// Opens a handle on the data of this test. All handles opened in one test see the same data.
    Datastore open(Duration callLimit) throws Exception;

    /// Makes the store forget what was superseded at or before this revision.
    void compact(long revision) throws Exception;

    /// Keeps the calls of all handles of this test from ending until the answer is closed.
    AutoCloseable stall() throws Exception;

    /// Whether a commit is applied as a whole or not at all. If not, its writes are applied one after
    /// another, those before a conflict stay applied, and each is reported by a notice of its own.
    default boolean transactional() {
        return true;
    }

    /// Has something closed when the test is over.
    <T extends AutoCloseable> T track(T handle);

    default Datastore openStore() throws Exception {
        return track(open(AMPLE));
    }
}
