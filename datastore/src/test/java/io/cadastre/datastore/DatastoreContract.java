package io.cadastre.datastore;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/// What every store promises. A store passes by a subclass that says how it is opened, compacted and
/// stalled; each test method has data of its own.
///
/// Stores may begin at any revision, and revisions may have gaps: the suite only compares them.
public abstract class DatastoreContract
        implements WriteContract,
                CommitContract,
                ListContract,
                WatchContract,
                HandleContract,
                DeadlineContract,
                ArgumentContract,
                RivalContract {

    private final List<AutoCloseable> opened = new ArrayList<>();

    @Override
    public final <T extends AutoCloseable> T track(T handle) {
        opened.add(handle);
        return handle;
    }

    @AfterEach
    final void closeWhatWasOpened() throws Exception {
        for (var handle : opened.reversed()) {
            handle.close();
        }
    }
}
