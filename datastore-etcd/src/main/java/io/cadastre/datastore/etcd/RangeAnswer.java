package io.cadastre.datastore.etcd;

import java.util.ArrayList;
import java.util.List;

/// What etcd answers to a range request.
record RangeAnswer(long revision, List<KeyValue> keyValues, boolean more) {

    RangeAnswer {
        keyValues = List.copyOf(keyValues);
    }

    static RangeAnswer read(ProtoReader reader) {
        long revision = 0;
        var keyValues = new ArrayList<KeyValue>();
        boolean more = false;
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> revision = Header.read(reader.message()).revision();
                case 2 -> keyValues.add(KeyValue.read(reader.message()));
                case 3 -> more = reader.flag();
                default -> {}
            }
        }
        return new RangeAnswer(revision, keyValues, more);
    }
}
