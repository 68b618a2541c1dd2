package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// A key as etcd reports it. Of a deleted key, `modRevision` is the revision of its deletion.
record KeyValue(String key, Bytes value, long modRevision) {

    static final KeyValue NOTHING = new KeyValue("", Bytes.ofUtf8(""), 0);

    static KeyValue read(ProtoReader reader) {
        var key = NOTHING.key;
        var value = NOTHING.value;
        long modRevision = 0;
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> key = text(reader.bytes());
                case 3 -> modRevision = reader.number();
                case 5 -> value = Bytes.of(reader.bytes());
                default -> {}
            }
        }
        return new KeyValue(key, value, modRevision);
    }

    Document document() {
        return new Document(key, value, modRevision);
    }

    /// A key that is not UTF-8 was written by a stranger. It is refused rather than garbled, since a
    /// garbled key would send the reader of the next page to the wrong place.
    private static String text(byte[] key) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(key))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new DatastoreException(
                    DatastoreException.Kind.FOREIGN,
                    "etcd holds a key that is not UTF-8 text: 0x%s"
                            .formatted(HexFormat.of().formatHex(key)),
                    notText);
        }
    }
}
