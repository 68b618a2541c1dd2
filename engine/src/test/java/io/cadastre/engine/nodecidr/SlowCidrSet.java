package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The slow, obvious twin of [CidrSet]: an array of flags that is walked one by one, and CIDRs that are
/// compared with each block in turn.
final class SlowCidrSet {

    private final Subdivision cluster;
    private final boolean[] used;
    private int cursor;
    private int tries;

    SlowCidrSet(Subdivision cluster) {
        this.cluster = cluster;
        this.used = new boolean[1 << (cluster.partLength() - cluster.whole().length())];
    }

    Optional<Prefix> next() {
        int candidate = cursor;
        for (tries = 0; tries < used.length; tries++) {
            if (!used[candidate]) {
                used[candidate] = true;
                cursor = (candidate + 1) % used.length;
                return Optional.of(cluster.part(candidate));
            }
            candidate = (candidate + 1) % used.length;
        }
        return Optional.empty();
    }

    int blockCount() {
        return used.length;
    }

    int tries() {
        return tries;
    }

    int cursor() {
        return cursor;
    }

    void occupy(Prefix cidr) {
        mark(cidr, true);
    }

    void release(Prefix cidr) {
        mark(cidr, false);
    }

    void releaseAll() {
        mark(cluster.whole(), false);
    }

    private void mark(Prefix cidr, boolean mark) {
        for (int index = 0; index < used.length; index++) {
            if (cluster.part(index).overlaps(cidr)) {
                used[index] = mark;
            }
        }
    }

    Set<Integer> used() {
        var indexes = new HashSet<Integer>();
        for (int index = 0; index < used.length; index++) {
            if (used[index]) {
                indexes.add(index);
            }
        }
        return indexes;
    }
}
