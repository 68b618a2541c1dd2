package io.cadastre.engine.hostlocal;

import java.util.List;

/// What was given back, by its holder or by the collector.
///
/// @param entries empty if there was nothing, which is not a failure
public record HostLocalRelease(List<FolderEntry> entries) {

    public HostLocalRelease {
        entries = List.copyOf(entries);
    }
}
