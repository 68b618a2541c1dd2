package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Conflicts since the last commit that went well. A value.
///
/// @param remedy reads what the next page begins with
/// @param since when the first of them was
/// @param collisions blocks that others had created
record ConflictStreak(Supplier<CalicoSnapshot> remedy, Instant since, int conflicts, List<Prefix> collisions) {

    static final ConflictStreak NONE = new ConflictStreak(() -> CalicoSnapshot.NONE, Instant.MIN, 0, List.of());

    /// After this many blocks that others had created all are listed.
    private static final int COLLISIONS_MAX = 3;

    /// This and one more conflict.
    ConflictStreak after(CalicoKey key, Commit.Kind kind, Instant now) {
        var collided = new ArrayList<>(collisions);
        if (kind == Commit.Kind.EXISTS && key instanceof CalicoKey.OfBlock(var cidr)) {
            collided.add(cidr);
        }
        return new ConflictStreak(remedy, conflicts == 0 ? now : since, conflicts + 1, List.copyOf(collided));
    }

    ConflictStreak with(Supplier<CalicoSnapshot> better) {
        return new ConflictStreak(better, since, conflicts, collisions);
    }

    boolean collidedOften() {
        return collisions.size() >= COLLISIONS_MAX;
    }
}
