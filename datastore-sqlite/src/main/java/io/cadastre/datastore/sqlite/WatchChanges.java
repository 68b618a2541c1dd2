package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Watch.Notice;
import java.util.List;

/// What a look into the log found for a watch.
sealed interface WatchChanges {

    /// The commits up to `through` that changed something under the prefix, if any did.
    record Changes(List<Notice.Changed> notices, long through) implements WatchChanges {}

    /// The log no longer reaches back that far.
    record Forgotten(long oldest) implements WatchChanges {}
}
