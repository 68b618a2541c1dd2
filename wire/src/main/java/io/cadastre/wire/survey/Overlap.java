package io.cadastre.wire.survey;

import io.cadastre.engine.Because;
import io.cadastre.engine.Holding;

/// Two dialects in one store give addresses of one range, so that an address may get two holders. It is
/// refused where it is seen in time; otherwise every decision that it affects reports it.
public record Overlap(Holding one, Holding other) implements Because {

    /// Whether the range lies in both, at least in part.
    boolean touches(Holding holding) {
        return holding.range().overlaps(one.range()) && holding.range().overlaps(other.range());
    }

    @Override
    public String sentence() {
        return "%s of %s overlaps %s of %s, so an address may get two holders; delete one of them"
                .formatted(one.range(), one.holder(), other.range(), other.holder());
    }
}
