package io.cadastre.engine;

import io.cadastre.address.Address;
import io.cadastre.engine.Holding.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks any holdings, whichever engine derived them: parts lie inside wholes, siblings are disjoint,
/// an address has one holder.
///
/// Only the holder counts, not how often a range is recorded: ranges of one holder may repeat and
/// overlap each other, since a node may list a prefix twice without harm to others. Every state counts
/// alike: a reserved or cooling range may not be held by another either.
///
/// The holdings are sorted by where they begin, long ones first, and swept once. At each holding it is
/// enough to know how far the holdings met so far reach: a whole that contains it began before it and
/// ends after it, and a rival that overlaps it began before it and has not ended yet. So the cost is
/// that of sorting.
public final class Survey {

    private static final Comparator<Holding> SWEEP = Comparator.<Holding, Address>comparing(
                    h -> h.range().first())
            .thenComparing(h -> h.range().last(), Comparator.reverseOrder())
            .thenComparing(Holding::level)
            .thenComparing(Holding::holder);

    private Survey() {}

    /// What is wrong with these holdings, in the order of their addresses. There is one violation for
    /// each holding that overlaps a rival met before it, not one for each pair.
    public static List<Violation> of(Collection<Holding> holdings) {
        var sorted = new ArrayList<>(holdings);
        sorted.sort(SWEEP);
        var fronts = new EnumMap<Level, Front>(Level.class);
        var violations = new ArrayList<Violation>();
        for (var holding : sorted) {
            if (holding.level() != Level.POOL && !insideAWhole(holding, fronts)) {
                violations.add(new Violation.Outside(holding));
            }
            fronts.computeIfAbsent(holding.level(), _ -> new Front())
                    .meet(holding)
                    .ifPresent(rival -> violations.add(new Violation.TwoHolders(rival, holding)));
        }
        return List.copyOf(violations);
    }

    private static boolean insideAWhole(Holding part, Map<Level, Front> fronts) {
        return fronts.entrySet().stream()
                .anyMatch(front -> front.getKey().compareTo(part.level()) < 0
                        && front.getValue().reaches(part));
    }

    /// Something a map of holdings must not show.
    public sealed interface Violation {

        /// A sentence without a full stop.
        String sentence();

        /// Two holders of one level share addresses.
        record TwoHolders(Holding one, Holding other) implements Violation {
            @Override
            public String sentence() {
                return "%s of %s overlaps %s of %s".formatted(other.range(), other.holder(), one.range(), one.holder());
            }
        }

        /// A part lies in no whole.
        record Outside(Holding part) implements Violation {
            @Override
            public String sentence() {
                return "%s of %s lies in no range of a lower level".formatted(part.range(), part.holder());
            }
        }
    }

    /// How far the holdings of one level reach that the sweep has met.
    private static final class Front {

        /// The holding that reaches furthest.
        private @Nullable Holding furthest;

        /// The one that reaches furthest among those of other holders than that one's.
        private @Nullable Holding furthestOther;

        /// Whether one of them contains the holding, which begins at or after all of them.
        boolean reaches(Holding holding) {
            return furthest != null
                    && furthest.range().last().compareTo(holding.range().last()) >= 0;
        }

        /// Adds the next holding, and returns a rival that overlaps it, if any.
        Optional<Holding> meet(Holding next) {
            if (furthest == null) {
                furthest = next;
                return Optional.empty();
            }
            var rival = furthest.holder().equals(next.holder()) ? furthestOther : furthest;
            boolean overlap = rival != null && rival.range().overlaps(next.range());
            var met = overlap ? Optional.ofNullable(rival) : Optional.<Holding>empty();
            takeIn(furthest, next);
            return met;
        }

        private void takeIn(Holding before, Holding next) {
            boolean further = endsAfter(next, before);
            if (before.holder().equals(next.holder())) {
                furthest = further ? next : before;
            } else if (further) {
                furthestOther = before;
                furthest = next;
            } else if (furthestOther == null || endsAfter(next, furthestOther)) {
                furthestOther = next;
            }
        }

        private static boolean endsAfter(Holding one, Holding other) {
            return one.range().last().compareTo(other.range().last()) > 0;
        }
    }
}
