package io.cadastre.datastore.etcd;

/// The header every answer of etcd begins with; we look only at the revision.
final class Headers {

    private Headers() {}

    static long readRevision(ProtoReader reader) {
        long revision = 0;
        while (reader.next()) {
            if (reader.field() == 3) {
                revision = reader.number();
            }
        }
        return revision;
    }
}
