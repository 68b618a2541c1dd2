package io.cadastre.wire.calico;

/// A document that was read or written, and at which revision.
record StoredDocument(CalicoKey key, CalicoDocument content, long revision) {}
