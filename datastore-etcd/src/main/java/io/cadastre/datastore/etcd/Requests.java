package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Write;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The requests we send, as etcd's `rpc.proto` numbers their fields.
///
/// See <https://github.com/etcd-io/etcd/blob/main/api/etcdserverpb/rpc.proto>.
final class Requests {

    private static final int COMPARE_EQUAL = 0;
    private static final int COMPARE_MOD_REVISION = 2;

    /// The revision etcd gives a key that does not exist.
    private static final long ABSENT = 0;

    /// A revision no key is ever at.
    private static final long NEVER = -1;

    private Requests() {}

    static ProtoWriter get(String key) {
        return new ProtoWriter().bytes(1, utf8(key));
    }

    /// One transaction that reads every key.
    static ProtoWriter getAll(List<String> keys) {
        var transaction = new ProtoWriter();
        for (var key : keys) {
            transaction.message(2, new ProtoWriter().message(1, get(key)));
        }
        return transaction;
    }

    /// No sort order is asked for: etcd answers in the order of keys, and would fetch the whole span
    /// before it cuts a page if it were asked to sort.
    ///
    /// @param revision zero for the present
    static ProtoWriter list(KeySpan span, int limit, long revision) {
        return new ProtoWriter()
                .bytes(1, span.first().toByteArray())
                .bytes(2, span.end().toByteArray())
                .number(3, limit)
                .number(4, revision);
    }

    /// Asks for nothing but whether the revision is still known.
    static ProtoWriter probe(KeySpan span, long revision) {
        return new ProtoWriter()
                .bytes(1, span.first().toByteArray())
                .bytes(2, span.end().toByteArray())
                .number(3, 1)
                .number(4, revision)
                .flag(8);
    }

    /// One transaction: compare every key, then write all, or else report where every key stands. The
    /// answer is small in both cases, since keys are reported without their values.
    static ProtoWriter commit(List<Write> writes) {
        var transaction = new ProtoWriter();
        for (var write : writes) {
            transaction.message(1, compare(write));
        }
        for (var write : writes) {
            transaction.message(2, apply(write));
        }
        for (var write : writes) {
            transaction.message(3, standing(write.key()));
        }
        return transaction;
    }

    /// One transaction of several, each with its own conditions. etcd looks at all conditions before it
    /// writes anything, so the order must make no difference: no two may name the same key.
    ///
    /// The outer transaction has no condition, so its second branch never happens. It is there to
    /// name every key, as one that is read and one that is put: etcd checks rights and free space
    /// for what a transaction names itself, and before 3.6.9 (3.4.23 among them) not for what is
    /// named in the transactions within (GHSA-rfx7-8w68-q57q). Should it ever happen, it would put
    /// the values that are there.
    static ProtoWriter together(List<ProtoWriter> commits, List<String> keys) {
        var transaction = new ProtoWriter();
        for (var commit : commits) {
            transaction.message(2, new ProtoWriter().message(4, commit));
        }
        for (var key : keys) {
            transaction.message(3, standing(key));
            transaction.message(3, rewrite(key));
        }
        return transaction;
    }

    /// Where every key of these writes stands now.
    static ProtoWriter keyStates(List<Write> writes) {
        var transaction = new ProtoWriter();
        for (var write : writes) {
            transaction.message(2, standing(write.key()));
        }
        return transaction;
    }

    /// Asks for fragments, since a watch that catches up is otherwise sent up to a thousand revisions
    /// in one message of any size; and for word of progress, so that a watch of a quiet prefix does
    /// not begin again at a revision long compacted.
    static ProtoWriter watch(KeySpan span, long firstRevision) {
        var create = new ProtoWriter()
                .bytes(1, span.first().toByteArray())
                .bytes(2, span.end().toByteArray())
                .number(3, firstRevision)
                .flag(4)
                .flag(8);
        return new ProtoWriter().message(1, create);
    }

    static ProtoWriter authenticate(String username, String password) {
        return new ProtoWriter().text(1, username).text(2, password);
    }

    private static ProtoWriter compare(Write write) {
        return new ProtoWriter()
                .number(1, COMPARE_EQUAL)
                .number(2, COMPARE_MOD_REVISION)
                .bytes(3, utf8(write.key()))
                .number(6, believed(write));
    }

    private static ProtoWriter apply(Write write) {
        return switch (write) {
            case Write.Create create -> put(create.key(), create.value().toByteArray());
            case Write.Update update -> put(update.key(), update.value().toByteArray());
            case Write.Delete delete -> new ProtoWriter().message(3, new ProtoWriter().bytes(1, utf8(delete.key())));
        };
    }

    private static ProtoWriter standing(String key) {
        return new ProtoWriter()
                .message(1, new ProtoWriter().bytes(1, utf8(key)).flag(8));
    }

    /// Puts the value that is there.
    private static ProtoWriter rewrite(String key) {
        return new ProtoWriter()
                .message(2, new ProtoWriter().bytes(1, utf8(key)).flag(5));
    }

    private static ProtoWriter put(String key, byte[] value) {
        return new ProtoWriter()
                .message(2, new ProtoWriter().bytes(1, utf8(key)).bytes(2, value));
    }

    /// The revision the key must be at.
    static long believed(Write write) {
        return switch (write) {
            case Write.Create _ -> ABSENT;
            case Write.Update update -> existing(update.revision());
            case Write.Delete delete -> existing(delete.revision());
        };
    }

    /// Zero would ask for a key that does not exist, and so create it.
    private static long existing(long revision) {
        return revision == ABSENT ? NEVER : revision;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
