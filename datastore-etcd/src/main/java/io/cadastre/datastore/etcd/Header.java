package io.cadastre.datastore.etcd;

import io.cadastre.datastore.StoreIdentity;
import java.util.Optional;

/// What every answer of etcd begins with.
record Header(long cluster, long term, long revision) {

    static Header read(ProtoReader reader) {
        long cluster = 0;
        long term = 0;
        long revision = 0;
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> cluster = reader.number();
                case 3 -> revision = reader.number();
                case 4 -> term = reader.number();
                default -> {}
            }
        }
        return new Header(cluster, term, revision);
    }

    /// The header of an answer, unless it has none or cannot be read, which shows when the rest is read.
    static Optional<Header> find(ProtoReader answer) {
        try {
            return answer.next() && answer.field() == 1 ? Optional.of(read(answer.message())) : Optional.empty();
        } catch (ProtoReader.MalformedException _) {
            return Optional.empty();
        }
    }

    StoreIdentity identity() {
        return new StoreIdentity("etcd cluster " + Long.toHexString(cluster), term, revision);
    }
}
