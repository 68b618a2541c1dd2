package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import io.grpc.Deadline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/// Decides which commits are sent when, and which together.
///
/// The goal is to serve many writers although a transaction costs etcd 3.4 more the more keys were
/// written lately: it copies the buffer they are in for each transaction. So only a few transactions
/// are under way at once, and the commits that arrive meanwhile share the next one. A commit does not
/// wait for others: one that finds a free place is sent at once, by its own caller, in a plain
/// transaction. A group is sent when nothing else is under way, which makes it large, and by a thread
/// of its own, so that the callers, each with a deadline of its own, are free to leave.
///
/// Commits of one key are sent in the order they came, each after the one before it has ended.
final class CommitQueue {

    /// Plain transactions under way at once. With fewer, a handful of writers would take turns; with
    /// more, a dozen would each pay for a transaction of their own, and those that are grouped would
    /// wait long for the last of them.
    static final int ALONE_MAX = 4;

    private final EtcdClient client;
    private final CommitSender sender;

    /// Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();

    /// Oldest first. Not bounded here: a caller waits for its one commit, so there are at most as many
    /// as threads.
    private final LinkedHashSet<PendingCommit> waiting = new LinkedHashSet<>();

    private final Set<String> keysUnderWay = new HashSet<>();
    private int aloneUnderWay;
    private boolean groupUnderWay;

    CommitQueue(EtcdClient client) {
        this.client = client;
        this.sender = new CommitSender(client);
    }

    Commit commit(List<Write> writes, Deadline deadline) {
        var commit = new PendingCommit(writes, deadline);
        lock.lock();
        try {
            waiting.addLast(commit);
            dispatch();
        } finally {
            lock.unlock();
        }
        return switch (await(commit)) {
            case CommitResult.Known(var told) -> told;
            // Anew, so that the trace is the caller's.
            case CommitResult.Failed(var failure) ->
                throw new DatastoreException(failure.kind(), String.valueOf(failure.getMessage()), failure);
            case CommitResult.Alone() -> sendAlone(commit);
        };
    }

    private CommitResult await(PendingCommit commit) {
        try {
            return commit.fate().get(commit.deadline().timeRemaining(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            return withdraw(commit, Kind.DEADLINE, tooLate());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return withdraw(commit, Kind.FAILED, "the caller was interrupted");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The result of a caller that no longer waits.
    private CommitResult withdraw(PendingCommit commit, Kind kind, String reason) {
        lock.lock();
        try {
            if (waiting.remove(commit)) {
                // Others may have waited for its keys.
                dispatch();
                return new CommitResult.Failed(new DatastoreException(kind, notSent(reason)));
            }
            return commit.fate().getNow(new CommitResult.Known(new Commit.Unknown(reason)));
        } finally {
            lock.unlock();
        }
    }

    private String tooLate() {
        return "etcd at %s did not answer within %s"
                .formatted(client.names(), EtcdFailures.seconds(client.callLimit()));
    }

    private static String notSent(String reason) {
        return "a commit was not sent: %s".formatted(reason);
    }

    private Commit sendAlone(PendingCommit commit) {
        try {
            if (commit.deadline().isExpired()) {
                throw new DatastoreException(Kind.DEADLINE, notSent(tooLate()));
            }
            return sender.send(commit);
        } finally {
            end(commit.keys(), () -> aloneUnderWay--);
        }
    }

    private void sendTogether(CommitGroup group) {
        var refused = new ArrayList<PendingCommit>();
        try {
            var fates = sender.send(group);
            for (int index = 0; index < fates.size(); index++) {
                var commit = group.commits().get(index);
                switch (fates.get(index)) {
                    case CommitResult.Known told -> commit.fate().complete(told);
                    case CommitResult.Failed failed -> commit.fate().complete(failed);
                    case CommitResult.Alone _ -> refused.add(commit);
                }
            }
        } finally {
            returnToFront(refused);
            end(group.keys(), () -> groupUnderWay = false);
        }
    }

    /// Before the commits that came later, which may be of the same keys.
    private void returnToFront(List<PendingCommit> commits) {
        lock.lock();
        try {
            for (var commit : commits.reversed()) {
                commit.makeSingle();
                waiting.addFirst(commit);
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(List<String> keys, Runnable freePlace) {
        lock.lock();
        try {
            keys.forEach(keysUnderWay::remove);
            freePlace.run();
            dispatch();
        } finally {
            lock.unlock();
        }
    }

    /// Sends what can be sent. With the lock held.
    private void dispatch() {
        // Ends: every turn takes a place.
        while (!groupUnderWay && aloneUnderWay < ALONE_MAX) {
            var group = nextGroup();
            int size = group.commits().size();
            if (size == 0 || (size > 1 && aloneUnderWay > 0)) {
                return;
            }
            keysUnderWay.addAll(group.keys());
            group.commits().forEach(waiting::remove);
            if (size == 1) {
                aloneUnderWay++;
                group.commits().getFirst().fate().complete(new CommitResult.Alone());
            } else {
                groupUnderWay = true;
                Thread.startVirtualThread(() -> sendTogether(group));
            }
        }
    }

    /// The oldest commits that fit together, without those that have to wait for a key and those that
    /// have to wait behind them. With the lock held.
    private CommitGroup nextGroup() {
        var group = new CommitGroup();
        var keysTaken = new HashSet<>(keysUnderWay);
        for (var commit : waiting) {
            boolean free = Collections.disjoint(keysTaken, commit.keys());
            if (free && !group.add(commit)) {
                break;
            }
            keysTaken.addAll(commit.keys());
        }
        return group;
    }
}
