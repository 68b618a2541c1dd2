package io.cadastre.engine.hostlocal;

import java.util.List;

/// What was given back, by whoever held it or by those who collect.
///
/// @param entries empty if there was nothing, which is no failure
public record Release(List<Entry> entries) {

    public Release {
        entries = List.copyOf(entries);
    }
}
