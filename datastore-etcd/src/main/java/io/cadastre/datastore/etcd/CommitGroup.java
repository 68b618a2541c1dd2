package io.cadastre.datastore.etcd;

import io.grpc.Deadline;
import java.util.ArrayList;
import java.util.List;

/// Commits that are sent in one transaction. No two of them name the same key.
final class CommitGroup {

    /// What etcd allows unless set otherwise. Of this it takes the operations of the outer transaction
    /// in its longer branch, which is the one that names every key twice, and those of the longest
    /// transaction within.
    static final int OPERATIONS_MAX = 128;

    /// A third of what etcd takes in one request unless set otherwise.
    static final int BYTES_MAX = 512 << 10;

    private final List<PendingCommit> commits = new ArrayList<>();
    private int writeCount;
    private int writesOfLongest;
    private int bytes;

    /// Takes the commit if there is room. The first is always taken, since alone it is a plain
    /// transaction.
    boolean add(PendingCommit commit) {
        int count = commit.writes().size();
        int longest = Math.max(writesOfLongest, count);
        int operations = 2 * (writeCount + count) + longest;
        int bytesAfter = Math.addExact(bytes, commit.request().size());
        boolean room = operations <= OPERATIONS_MAX && bytesAfter <= BYTES_MAX;
        boolean sociable =
                commits.isEmpty() || !(commit.single() || commits.getFirst().single());
        if (!commits.isEmpty() && !(room && sociable)) {
            return false;
        }
        commits.add(commit);
        writeCount += count;
        writesOfLongest = longest;
        bytes = bytesAfter;
        return true;
    }

    List<PendingCommit> commits() {
        return commits;
    }

    List<String> keys() {
        return commits.stream().flatMap(commit -> commit.keys().stream()).toList();
    }

    /// The time of the most patient caller.
    Deadline deadline() {
        var latest = commits.getFirst().deadline();
        for (var commit : commits) {
            latest = latest.isBefore(commit.deadline()) ? commit.deadline() : latest;
        }
        return latest;
    }
}
