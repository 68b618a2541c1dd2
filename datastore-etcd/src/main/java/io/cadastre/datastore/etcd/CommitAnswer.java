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
                case 1 -> revision = Headers.readRevision(reader.message());
                case 2 -> succeeded = reader.flag();
                case 3 -> readOperation(reader.message(), standings);
                default -> {}
            }
        }
        return new CommitAnswer(revision, succeeded, standings);
    }

    private static void readOperation(ProtoReader reader, List<RangeAnswer> standings) {
        while (reader.next()) {
            if (reader.field() == 1) {
                standings.add(RangeAnswer.read(reader.message()));
            }
        }
    }
}
