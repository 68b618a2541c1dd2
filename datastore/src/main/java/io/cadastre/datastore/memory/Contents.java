package io.cadastre.datastore.memory;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// What the handles of one store in memory share.
final class Contents {

    /// Guards the history and says when it or a handle changed.
    final ReentrantLock lock = new ReentrantLock();

    /// Signalled when a commit was made, something was forgotten, or a handle or watch was closed.
    final Condition changed = lock.newCondition();

    final RevisionHistory history = new RevisionHistory();

    final MemoryJournal journal = new MemoryJournal();
}
