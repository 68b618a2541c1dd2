package io.cadastre.datastore.etcd;

import java.util.ArrayList;
import java.util.List;

/// What etcd answers to a transaction.
///
/// @param keyStates where each key of the transaction stands, if the request asked for it
record CommitAnswer(long revision, boolean succeeded, List<RangeAnswer> keyStates) {

    CommitAnswer {
        keyStates = List.copyOf(keyStates);
    }

    static CommitAnswer read(ProtoReader reader) {
        long revision = 0;
        boolean succeeded = false;
        var keyStates = new ArrayList<RangeAnswer>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> revision = Header.read(reader.message()).revision();
                case 2 -> succeeded = reader.flag();
                case 3 -> readOperation(reader.message(), keyStates);
                default -> {}
            }
        }
        return new CommitAnswer(revision, succeeded, keyStates);
    }

    /// The answers to the transactions within one. They are all at the revision of the outer one, and
    /// do not say so themselves.
    static List<CommitAnswer> readTogether(ProtoReader reader) {
        long revision = 0;
        var inner = new ArrayList<CommitAnswer>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> revision = Header.read(reader.message()).revision();
                case 3 -> readTransaction(reader.message(), inner);
                default -> {}
            }
        }
        var answers = new ArrayList<CommitAnswer>(inner.size());
        for (var answer : inner) {
            answers.add(new CommitAnswer(revision, answer.succeeded, answer.keyStates));
        }
        return answers;
    }

    private static void readTransaction(ProtoReader reader, List<CommitAnswer> answers) {
        while (reader.next()) {
            if (reader.field() == 4) {
                answers.add(read(reader.message()));
            }
        }
    }

    private static void readOperation(ProtoReader reader, List<RangeAnswer> keyStates) {
        while (reader.next()) {
            if (reader.field() == 1) {
                keyStates.add(RangeAnswer.read(reader.message()));
            }
        }
    }
}
