package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.StoreIdentity;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Notices that the etcd that answers is not the one that answered before: another cluster, one that was put
/// back from a snapshot, or one whose data directory was emptied.
///
/// It compares headers, which come with every answer. Reads and transactions of etcd are linearizable, so an
/// answer to what was sent after another answer had come cannot be older than that one, whichever member
/// gives it. Once it is noticed nothing is served any more: what this process knows of the store is wrong.
final class StoreIdentityCheck {

    private final AtomicReference<@Nullable StoreIdentity> newest = new AtomicReference<>();
    private volatile @Nullable DatastoreException broken;

    /// The furthest state that an answer reported, if there was any.
    Optional<StoreIdentity> newest() {
        return Optional.ofNullable(newest.get());
    }

    /// @throws DatastoreException if it was noticed before
    void check() {
        var noticed = broken;
        if (noticed != null) {
            throw new DatastoreException(noticed.kind(), String.valueOf(noticed.getMessage()), noticed);
        }
    }

    /// Takes note of an answer.
    ///
    /// @param before what was known when the request was sent
    /// @return what is wrong with it, if anything is
    Optional<DatastoreException> note(Optional<StoreIdentity> before, StoreIdentity answered, EtcdEndpoint endpoint) {
        if (before.isPresent() && !before.get().mayBecome(answered)) {
            return Optional.of(noticed(before.get(), answered, endpoint));
        }
        newest.accumulateAndGet(answered, StoreIdentityCheck::further);
        return Optional.empty();
    }

    /// Serves nothing any more.
    DatastoreException noticed(StoreIdentity before, StoreIdentity answered, EtcdEndpoint endpoint) {
        var noticed = new DatastoreException(
                Kind.FOREIGN,
                "etcd at %s is %s and has come to revision %d in term %d, and this process knows %s at revision %d in term %d:"
                                .formatted(
                                        endpoint,
                                        answered.name(),
                                        answered.revision(),
                                        answered.term(),
                                        before.name(),
                                        before.revision(),
                                        before.term())
                        + " it was put back from a backup, emptied or replaced; nothing is"
                        + " served any more until this process is started again");
        broken = noticed;
        return noticed;
    }

    private static @Nullable StoreIdentity further(@Nullable StoreIdentity one, @Nullable StoreIdentity other) {
        return one == null || (other != null && one.mayBecome(other)) ? other : one;
    }
}
