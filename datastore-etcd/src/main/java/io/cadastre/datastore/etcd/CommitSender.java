package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import io.grpc.Deadline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Sends commits as transactions, each once, and says what became of them.
final class CommitSender {

    private final EtcdClient client;

    CommitSender(EtcdClient client) {
        this.client = client;
    }

    /// Sends one in a transaction of its own.
    Commit send(PendingCommit commit) {
        var request = commit.request();
        return switch (client.callOnce(Rpc.TRANSACTION, request, commit.deadline())) {
            case EtcdReply.Answer answer -> outcome(commit.writes(), answer);
            case EtcdReply.Unsent(var reason) -> throw client.unreachable(reason);
            case EtcdReply.Ended ended -> plan(ended, commit);
        };
    }

    /// Sends all in one transaction. A fate for each, in their order.
    List<CommitResult> send(CommitGroup group) {
        var requests = group.commits().stream().map(PendingCommit::request).toList();
        var request = Requests.together(requests, group.keys());
        EtcdReply reply;
        try {
            reply = client.callOnce(Rpc.TRANSACTION, request, group.deadline());
        } catch (DatastoreException notSent) {
            return forEach(group, _ -> new CommitResult.Failed(notSent));
        }
        return switch (reply) {
            case EtcdReply.Answer answer -> outcomes(group, answer);
            case EtcdReply.Unsent(var reason) ->
                forEach(group, _ -> new CommitResult.Failed(client.unreachable(reason)));
            case EtcdReply.Ended ended -> plan(ended, group);
        };
    }

    private Commit outcome(List<Write> writes, EtcdReply.Answer reply) {
        try {
            return inOrder(reply, outcome(writes, CommitAnswer.read(reply.message())));
        } catch (ProtoReader.MalformedException malformed) {
            return unreadable(malformed);
        }
    }

    /// A commit that an older etcd applied counts as lost.
    private Commit inOrder(EtcdReply.Answer reply, Commit commit) {
        return commit instanceof Commit.Done(var revisions) && !revisions.isEmpty()
                ? client.plan(reply, revisions.getFirst())
                        .<Commit>map(wrong -> new Commit.Unknown(String.valueOf(wrong.getMessage())))
                        .orElse(commit)
                : commit;
    }

    private static Commit outcome(List<Write> writes, CommitAnswer answer) {
        return answer.succeeded()
                ? new Commit.Done(Collections.nCopies(writes.size(), answer.revision()))
                : findConflict(writes, answer.keyStates())
                        .orElseThrow(() -> new IllegalStateException(
                                "etcd refused a transaction all of whose" + " conditions hold"));
    }

    private List<CommitResult> outcomes(CommitGroup group, EtcdReply.Answer reply) {
        try {
            var answers = CommitAnswer.readTogether(reply.message());
            if (answers.size() != group.commits().size()) {
                throw new ProtoReader.MalformedException("%d answers to %d commits"
                        .formatted(answers.size(), group.commits().size()));
            }
            var fates = new ArrayList<CommitResult>();
            for (int index = 0; index < answers.size(); index++) {
                var writes = group.commits().get(index).writes();
                fates.add(new CommitResult.Known(inOrder(reply, outcome(writes, answers.get(index)))));
            }
            return fates;
        } catch (ProtoReader.MalformedException malformed) {
            return forEach(group, _ -> new CommitResult.Known(unreadable(malformed)));
        }
    }

    private static Commit.Unknown unreadable(ProtoReader.MalformedException malformed) {
        return new Commit.Unknown("etcd's answer to a transaction is malformed: %s".formatted(malformed.getMessage()));
    }

    /// The first write that does not find what it believes.
    private static Optional<Commit> findConflict(List<Write> writes, List<RangeAnswer> keyStates) {
        for (int index = 0; index < writes.size(); index++) {
            var found = keyStates.get(index).keyValues();
            long revision = found.isEmpty() ? 0 : found.getFirst().modRevision();
            if (revision != Requests.believed(writes.get(index))) {
                return Optional.of(new Commit.Conflict(index, kind(writes.get(index), found.isEmpty())));
            }
        }
        return Optional.empty();
    }

    private static Commit.Kind kind(Write write, boolean absent) {
        return switch (write) {
            case Write.Create _ -> Commit.Kind.EXISTS;
            case Write.Update _, Write.Delete _ -> absent ? Commit.Kind.ABSENT : Commit.Kind.STALE;
        };
    }

    /// What became of a transaction that ended with a status instead of an answer.
    private Commit plan(EtcdReply.Ended ended, PendingCommit commit) {
        var status = ended.status();
        if (EtcdFailures.tooLarge(status)) {
            throw new DatastoreException(
                    Kind.FAILED,
                    "a commit of %d bytes is more than etcd at %s takes in one request"
                            .formatted(commit.request().size(), ended.endpoint()),
                    status.asRuntimeException());
        }
        boolean refused = EtcdFailures.outOfSpace(status)
                ? stillAsBelieved(commit.writes(), commit.deadline())
                : EtcdFailures.certainlyNotApplied(status);
        if (refused) {
            throw EtcdFailures.of(ended, client.callLimit());
        }
        return unknown(ended);
    }

    /// What became of commits whose common transaction ended with a status instead of an answer. A
    /// refusal may be for the sake of one of them, so each is sent again by itself.
    private List<CommitResult> plan(EtcdReply.Ended ended, CommitGroup group) {
        var status = ended.status();
        if (EtcdFailures.overloaded(status)) {
            return forEach(group, _ -> new CommitResult.Failed(EtcdFailures.of(ended, client.callLimit())));
        }
        if (EtcdFailures.outOfSpace(status)) {
            return forEach(group, commit -> judgeOutOfSpace(ended, commit));
        }
        return EtcdFailures.certainlyNotApplied(status)
                ? forEach(group, _ -> new CommitResult.Alone())
                : forEach(group, _ -> new CommitResult.Known(unknown(ended)));
    }

    /// Deletions need no space, and were refused for the sake of others. Only they are sent again: a
    /// key to be created may be absent because it was created and then deleted by a rival.
    private CommitResult judgeOutOfSpace(EtcdReply.Ended ended, PendingCommit commit) {
        if (!stillAsBelieved(commit.writes(), commit.deadline())) {
            return new CommitResult.Known(unknown(ended));
        }
        return commit.writes().stream().allMatch(Write.Delete.class::isInstance)
                ? new CommitResult.Alone()
                : new CommitResult.Failed(EtcdFailures.of(ended, client.callLimit()));
    }

    private Commit.Unknown unknown(EtcdReply.Ended ended) {
        return new Commit.Unknown(
                client.closed()
                        ? "the store was closed before etcd at %s answered".formatted(ended.endpoint())
                        : EtcdFailures.sentence(ended, client.callLimit()));
    }

    /// Whether every key is where the writes believe it to be, and so none of them was applied. Asked
    /// only of a transaction that etcd has answered, so that it cannot be applied afterwards.
    private boolean stillAsBelieved(List<Write> writes, Deadline deadline) {
        try {
            var message = client.read(Rpc.TRANSACTION, Requests.keyStates(writes), deadline);
            var answer = CommitAnswer.read(message);
            return findConflict(writes, answer.keyStates()).isEmpty();
        } catch (DatastoreException | ProtoReader.MalformedException cannotTell) {
            return false;
        }
    }

    private static List<CommitResult> forEach(CommitGroup group, Function<PendingCommit, CommitResult> fate) {
        return group.commits().stream().map(fate).toList();
    }
}
