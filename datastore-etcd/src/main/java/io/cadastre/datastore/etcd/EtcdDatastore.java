package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Rules;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.grpc.Status;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Documents in etcd v3: keys and values are stored as they are, and revisions are etcd's own.
///
/// A commit is all or nothing, in a transaction of its own or, when many arrive at once, with others
/// in one; what one of them meets does not touch the others. It is sent once, unless etcd said no to
/// all of a transaction before it applied any of it. If the answer is lost, it is [Commit.Unknown];
/// only what etcd certainly did not apply is an exception.
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

    @Override
    public Optional<Document> get(String key) {
        Rules.checkKey(key);
        client.checkOpen();
        var message = client.read(Rpc.RANGE, Requests.get(key), client.deadline());
        return readable(() -> RangeAnswer.read(message)).keyValues().stream()
                .findFirst()
                .map(KeyValue::document);
    }

    @Override
    public Listing list(String prefix, int limit) {
        Rules.checkPrefix(prefix);
        Rules.checkLimit(limit);
        return list(prefix, KeySpan.ofPrefix(prefix), limit, 0);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        Rules.checkCursor(cursor);
        Rules.checkLimit(limit);
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
                var message = client.read(Rpc.RANGE, Requests.list(span, page, revision), deadline);
                return listing(prefix, message, revision);
            } catch (DatastoreException failed) {
                var status = Status.fromThrowable(failed);
                if (Failures.compacted(status)) {
                    throw new CompactedException(revision, oldestRevision(prefix, revision));
                }
                if (!Failures.answerTooLarge(status) || page == 1) {
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
        var next =
                answer.more()
                        ? Optional.of(
                                new Listing.Cursor(prefix, documents.getLast().key(), revision))
                        : Optional.<Listing.Cursor>empty();
        return new Listing(documents, revision, next);
    }

    /// The oldest revision, which etcd tells only to a watch that begins before it.
    private long oldestRevision(String prefix, long compacted) {
        try (var watch = watch(prefix, 0)) {
            return watch.next(client.callLimit()) instanceof Watch.Notice.Compacted(var oldest)
                    ? oldest
                    : compacted + 1;
        }
    }

    @Override
    public Watch watch(String prefix, long after) {
        Rules.checkPrefix(prefix);
        Rules.checkRevision(after);
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
        Rules.checkWrites(writes);
        client.checkOpen();
        return commits.commit(writes, client.deadline());
    }

    @Override
    public void close() {
        client.close();
        watches.forEach(EtcdWatch::close);
    }

    private static <T> T readable(Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (ProtoReader.MalformedException malformed) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "etcd's answer is malformed: %s".formatted(malformed.getMessage()),
                    malformed);
        }
    }
}
