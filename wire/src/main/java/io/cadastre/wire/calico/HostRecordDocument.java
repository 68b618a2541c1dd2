package io.cadastre.wire.calico;

import io.cadastre.datastore.Bytes;

/// The record that old releases kept of a host. Its content is not read.
public record HostRecordDocument(String host, Bytes value) implements CalicoDocument {

    @Override
    public Bytes encode() {
        return value;
    }
}
