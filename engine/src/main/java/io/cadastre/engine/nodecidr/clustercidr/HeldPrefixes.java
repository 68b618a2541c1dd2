package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.SortedIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Every prefix that a node holds or has reserved, in the order of their addresses.
///
/// Prefixes are nested or disjoint. So those that overlap a given one are the neighbours that begin in it,
/// and those around it, of which there is at most one for each shorter length. Two nodes may hold the
/// same prefix, since CIDRs also come from elsewhere.
final class HeldPrefixes {

    private final SortedIndex<Held, Held> index;

    private HeldPrefixes(SortedIndex<Held, Held> index) {
        this.index = index;
    }

    static HeldPrefixes none() {
        return new HeldPrefixes(SortedIndex.empty());
    }

    HeldPrefixes with(Held held) {
        return new HeldPrefixes(index.with(held, held));
    }

    HeldPrefixes without(Held held) {
        return new HeldPrefixes(index.without(held));
    }

    int size() {
        return index.size();
    }

    /// All that overlap the prefix.
    List<Held> overlapping(Prefix prefix) {
        var found = new ArrayList<Held>();
        for (int length = 0; length < prefix.length(); length++) {
            found.addAll(at(Prefix.containing(prefix.address(), length)));
        }
        var end = new Prefix(prefix.last(), prefix.family().bits());
        found.addAll(index.between(Held.before(prefix), Held.after(end)));
        return found;
    }

    private List<Held> at(Prefix prefix) {
        return index.between(Held.before(prefix), Held.after(prefix));
    }

    /// A prefix and the node that holds it.
    ///
    /// @param reserved whether it is on its way to the node
    record Held(Prefix prefix, String node, boolean reserved) implements Comparable<Held> {

        /// No name of a node has such a character.
        private static final String AFTER_ALL_NAMES = "\uffff";

        private static final Comparator<Held> ORDER =
                Comparator.comparing(Held::prefix).thenComparing(Held::node).thenComparing(Held::reserved);

        private static Held before(Prefix prefix) {
            return new Held(prefix, "", false);
        }

        private static Held after(Prefix prefix) {
            return new Held(prefix, AFTER_ALL_NAMES, true);
        }

        @Override
        public int compareTo(Held other) {
            return ORDER.compare(this, other);
        }
    }
}
