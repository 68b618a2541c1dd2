package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.WriteRules;
import io.grpc.Deadline;
import io.grpc.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Documents in etcd v3: keys and values are stored as they are, and revisions are etcd's own.
///
/// A commit is all or nothing, in a transaction of its own or, when many arrive at once, with others in
/// one; the result of one does not affect the others. It is sent once, unless etcd refused all of a
/// transaction before it applied any of it. If the answer is lost, it is [Commit.Unknown]; only what
/// etcd certainly did not apply is an exception.
public final class EtcdDatastore implements Datastore {

    private final EtcdClient client;
    private final CommitQueue commits;
    private final Set<EtcdWatch> watches = ConcurrentHashMap.newKeySet();

    private EtcdDatastore(EtcdClient client) {
        this.client = client;
        this.commits = new CommitQueue(client);
    }

    /// A store over this cluster. The first call connects.
    ///
    /// @throws DatastoreException if DNS names no members, or a certificate file is unusable
    public static EtcdDatastore open(EtcdSettings settings) {
        return open(settings, SrvLookup.OF_THE_MACHINE);
    }

    static EtcdDatastore open(EtcdSettings settings, SrvLookup lookup) {
        var endpoints =
                switch (settings.servers()) {
                    case EtcdSettings.Servers.Listed(var listed) -> listed;
                    case EtcdSettings.Servers.Discovered(var domain) -> lookup.find(domain);
                };
        return new EtcdDatastore(new EtcdClient(settings, endpoints));
    }

    /// Connects to one of the members. Without it, the first call connects, within its own limit.
    ///
    /// @throws DatastoreException if none answers in time
    public void connect(Duration limit) {
        client.connect(limit);
    }

    /// Which cluster it is and how far it has come, according to the answers so far; empty before the
    /// first one. etcd reports the cluster, its term and revision with every answer.
    public Optional<StoreIdentity> identity() {
        return client.identity();
    }

    @Override
    public Optional<Document> get(String key) {
        WriteRules.checkKey(key);
        client.checkOpen();
        var message = allowed(() -> "read " + key, () -> client.read(Rpc.RANGE, Requests.get(key), client.deadline()));
        return readable(() -> RangeAnswer.read(message)).keyValues().stream()
                .findFirst()
                .map(KeyValue::document);
    }

    /// In one transaction, unless the keys or what they hold are too many for one.
    @Override
    public Map<String, Document> getAll(List<String> keys) {
        keys.forEach(WriteRules::checkKey);
        client.checkOpen();
        var found = new LinkedHashMap<String, Document>();
        for (int begin = 0; begin < keys.size(); begin += WRITES_MAX) {
            var some = keys.subList(begin, Math.min(begin + WRITES_MAX, keys.size()));
            read(some, client.deadline(), found);
        }
        return found;
    }

    private void read(List<String> keys, Deadline deadline, Map<String, Document> found) {
        try {
            var message = allowed(
                    () -> "read " + String.join(", ", keys),
                    () -> client.read(Rpc.TRANSACTION, Requests.getAll(keys), deadline));
            for (var range : readable(() -> CommitAnswer.read(message)).keyStates()) {
                for (var keyValue : range.keyValues()) {
                    found.put(keyValue.document().key(), keyValue.document());
                }
            }
        } catch (DatastoreException failed) {
            if (!EtcdFailures.answerTooLarge(Status.fromThrowable(failed)) || keys.size() == 1) {
                throw failed;
            }
            // Ends: the keys are halved down to one.
            read(keys.subList(0, keys.size() / 2), deadline, found);
            read(keys.subList(keys.size() / 2, keys.size()), deadline, found);
        }
    }

    @Override
    public Listing list(String prefix, int limit) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkLimit(limit);
        return list(prefix, KeySpan.ofPrefix(prefix), limit, 0);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        WriteRules.checkCursor(cursor);
        WriteRules.checkLimit(limit);
        var span = KeySpan.ofPrefixAfter(cursor.prefix(), cursor.afterKey());
        return list(cursor.prefix(), span, limit, cursor.revision());
    }

    /// @param revision zero for the present
    private Listing list(String prefix, KeySpan span, int limit, long revision) {
        client.checkOpen();
        var deadline = client.deadline();
        int page = limit;
        // Ends: the page is halved down to one document.
        while (true) {
            try {
                int count = page;
                var message = allowed(
                        () -> "read all keys that begin with '%s'".formatted(prefix),
                        () -> client.read(Rpc.RANGE, Requests.list(span, count, revision), deadline));
                return listing(prefix, message, revision);
            } catch (DatastoreException failed) {
                var status = Status.fromThrowable(failed);
                if (EtcdFailures.compacted(status)) {
                    throw new CompactedException(revision, oldestRevision(prefix, revision));
                }
                if (!EtcdFailures.answerTooLarge(status) || page == 1) {
                    throw failed;
                }
                page /= 2;
            }
        }
    }

    private static Listing listing(String prefix, ProtoReader message, long revisionAsked) {
        var answer = readable(() -> RangeAnswer.read(message));
        var documents = answer.keyValues().stream().map(KeyValue::document).toList();
        // etcd's header always has the newest revision, also when an older one was asked for.
        long revision = revisionAsked == 0 ? answer.revision() : revisionAsked;
        var next = answer.more()
                ? Optional.of(new Listing.Cursor(prefix, documents.getLast().key(), revision))
                : Optional.<Listing.Cursor>empty();
        return new Listing(documents, revision, next);
    }

    /// The oldest revision, which etcd reports only to a watch that begins before it.
    private long oldestRevision(String prefix, long compacted) {
        try (var watch = watch(prefix, 0)) {
            return watch.next(client.callLimit()) instanceof Watch.Notice.Compacted(var oldest)
                    ? oldest
                    : compacted + 1;
        }
    }

    @Override
    public Watch watch(String prefix, long after) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkRevision(after);
        client.checkOpen();
        var watch = new EtcdWatch(client, KeySpan.ofPrefix(prefix), after, watches::remove);
        watches.add(watch);
        if (client.closed()) {
            watch.close();
        }
        return watch;
    }

    @Override
    public Commit commit(List<Write> writes) {
        WriteRules.checkWrites(writes);
        client.checkOpen();
        return allowed(
                () -> "read and write "
                        + String.join(", ", writes.stream().map(Write::key).toList()),
                () -> commits.commit(writes, client.deadline()));
    }

    @Override
    public void close() {
        client.close();
        watches.forEach(EtcdWatch::close);
    }

    /// Says which right is missing, where etcd says only that one is.
    private static <T> T allowed(Supplier<String> right, Supplier<T> call) {
        try {
            return call.get();
        } catch (DatastoreException failed) {
            if (Status.fromThrowable(failed).getCode() != Status.Code.PERMISSION_DENIED) {
                throw failed;
            }
            throw new DatastoreException(
                    Kind.DENIED,
                    "%s: it lacks the right to %s; grant it with 'etcdctl role grant-permission'"
                            .formatted(failed.getMessage(), right.get()),
                    failed);
        }
    }

    private static <T> T readable(Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (ProtoReader.MalformedException malformed) {
            throw new DatastoreException(
                    Kind.CORRUPT, "etcd's answer is malformed: %s".formatted(malformed.getMessage()), malformed);
        }
    }
}
