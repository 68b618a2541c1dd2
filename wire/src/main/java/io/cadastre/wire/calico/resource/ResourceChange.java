package io.cadastre.wire.calico.resource;

import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.IpPoolDocument;
import java.util.List;

/// One write of a resource.
public sealed interface ResourceChange extends Change {

    CalicoKey key();

    record Create(CalicoKey key, CalicoDocument document) implements ResourceChange {
        @Override
        public String sentence() {
            return "create " + ResourceName.of(key);
        }

        @Override
        public List<Holding> granted() {
            return holdings(document);
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    /// Rewrites a resource that is as it was seen. What a pool spans does not change.
    record Update(CalicoKey key, StoredResource seen, CalicoDocument document) implements ResourceChange {
        @Override
        public String sentence() {
            return "rewrite " + ResourceName.of(key);
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    record Drop(CalicoKey key, StoredResource seen) implements ResourceChange {
        @Override
        public String sentence() {
            return "delete " + ResourceName.of(key);
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }

        @Override
        public List<Holding> returned() {
            return holdings(seen.document());
        }
    }

    private static List<Holding> holdings(CalicoDocument document) {
        return document instanceof IpPoolDocument of
                ? List.of(new Holding(
                        of.pool().cidr().range(),
                        Level.POOL,
                        "pool/" + of.pool().name(),
                        State.HELD))
                : List.of();
    }
}
