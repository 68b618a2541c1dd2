package io.cadastre.wire.calico.resource;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Holding;
import io.cadastre.wire.calico.IpPoolDocument;
import java.util.List;
import java.util.Optional;

/// All that decisions about resources may look at. Every question throws
/// [io.cadastre.engine.NotReadException] if the answer was not read.
public interface ResourceView {

    Optional<StoredResource> find(CalicoKind kind, String name);

    /// All pools that can be read, in the order of their names.
    List<IpPoolDocument> pools();

    /// The prefixes of all blocks.
    List<Prefix> blocks();

    /// The ranges that other dialects in the store give addresses of.
    List<Holding> neighbours();
}
