package io.cadastre.engine.nodecidr;

import io.cadastre.address.Subdivision;
import java.util.ArrayList;
import java.util.List;

/// Where the search for the next block starts in each cluster CIDR, and how many nodes were given
/// CIDRs so far.
///
/// The count makes every assignment change what is stored, also in a cluster of one block whose cursor
/// cannot move, so that rivals conflict here in every store.
///
/// @param cursors the most recently moved one last
public record Cursors(List<Cursor> cursors, long assignments) {

    /// A cluster has one or two; the others are those of earlier configurations. The one that rested
    /// longest is forgotten first, and its search starts at the first block again.
    public static final int CURSORS_MAX = 64;

    public Cursors {
        cursors = List.copyOf(cursors);
        if (cursors.size() > CURSORS_MAX) {
            throw new IllegalArgumentException("%d cursors are more than %d".formatted(cursors.size(), CURSORS_MAX));
        }
        if (cursors.stream().map(Cursor::cluster).distinct().count() < cursors.size()) {
            throw new IllegalArgumentException("two cursors belong to one cluster CIDR and mask");
        }
        if (assignments < 0) {
            throw new IllegalArgumentException("%d assignments are less than none".formatted(assignments));
        }
    }

    /// Those of a cluster that never gave anything.
    public static Cursors none() {
        return new Cursors(List.of(), 0);
    }

    /// Where the search in this cluster CIDR starts.
    public int at(Subdivision cluster) {
        return cursors.stream()
                .filter(cursor -> cursor.cluster().equals(cluster))
                .mapToInt(Cursor::next)
                .findFirst()
                .orElse(0);
    }

    /// These after one more assignment that moved the cursors of these sets.
    Cursors afterAssignment(List<CidrSet> sets) {
        var moved = new ArrayList<>(cursors);
        for (var set : sets) {
            moved.removeIf(cursor -> cursor.cluster().equals(set.cluster()));
            moved.add(new Cursor(set.cluster(), set.cursor()));
        }
        int forgotten = Math.max(0, moved.size() - CURSORS_MAX);
        return new Cursors(moved.subList(forgotten, moved.size()), assignments + 1);
    }

    /// The block at which the next search in a cluster CIDR starts.
    public record Cursor(Subdivision cluster, int next) {

        public Cursor {
            CidrSet.checkSize(cluster);
            if (next < 0 || next > cluster.lastOrdinal()) {
                throw new IllegalArgumentException("%s has no part %d".formatted(cluster, next));
            }
        }

        @Override
        public String toString() {
            return "%s at block %d".formatted(cluster, next);
        }
    }
}
