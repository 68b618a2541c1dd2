package io.cadastre.datastore.etcd;

import java.util.ArrayList;
import java.util.List;

/// What etcd answers to a transaction.
///
/// @param standings where each key of the transaction stands, if the answer was asked to tell
record CommitAnswer(long revision, boolean succeeded, List<RangeAnswer> standings) {

    CommitAnswer {
        standings = List.copyOf(standings);
    }

    static CommitAnswer read(ProtoReader reader) {
        long revision = 0;
        boolean succeeded = false;
        var standings = new ArrayList<RangeAnswer>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> revision = Header.read(reader.message()).revision();
                case 2 -> succeeded = reader.flag();
                case 3 -> readOperation(reader.message(), standings);
                default -> {}
            }
        }
        return new CommitAnswer(revision, succeeded, standings);
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
            answers.add(new CommitAnswer(revision, answer.succeeded, answer.standings));
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

    private static void readOperation(ProtoReader reader, List<RangeAnswer> standings) {
        while (reader.next()) {
            if (reader.field() == 1) {
                standings.add(RangeAnswer.read(reader.message()));
            }
        }
    }
}
