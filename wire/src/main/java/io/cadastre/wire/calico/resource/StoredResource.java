package io.cadastre.wire.calico.resource;

import io.cadastre.wire.calico.CalicoDocument;

/// A resource that was read, and at which revision.
public record StoredResource(CalicoDocument document, long revision) {}
