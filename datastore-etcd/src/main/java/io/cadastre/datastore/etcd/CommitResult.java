package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;

/// What becomes of a commit that waits.
sealed interface CommitResult {

    /// It was sent with others, and this is what is known of it.
    record Known(Commit commit) implements CommitResult {}

    /// It certainly had no effect.
    record Failed(DatastoreException failure) implements CommitResult {}

    /// It is to be sent without others.
    record Alone() implements CommitResult {}
}
