package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;

/// What becomes of a commit that waits.
sealed interface Fate {

    /// It was sent with others, and this is what is known of it.
    record Told(Commit commit) implements Fate {}

    /// It certainly had no effect.
    record Failed(DatastoreException failure) implements Fate {}

    /// It is to be sent without others.
    record Alone() implements Fate {}
}
