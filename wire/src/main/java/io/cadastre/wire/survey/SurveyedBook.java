package io.cadastre.wire.survey;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A book of one dialect in a store that others may share: its decisions report where they give what
/// another dialect gives too, and which document of another could not be compared.
///
/// Ranges change rarely, and tools refuse those that overlap; so the ranges are read once in a while,
/// and nothing else is done as long as none overlaps another. A cluster that lacks the kinds of all dialects but one,
/// or lets this user read one only, is asked less often.
public final class SurveyedBook<V, C extends Change> implements Book<V, C> {

    private static final Duration KEPT_MAX = Duration.ofMinutes(1);
    private static final Duration ALONE_KEPT_MAX = Duration.ofHours(1);

    private final Book<V, C> book;
    private final Datastore store;
    private final InstantSource clock;
    private final boolean shared;

    private volatile @Nullable Look last;

    private record Look(Instant until, List<Overlap> overlaps, List<UnreadableRange> uncompared) {}

    public SurveyedBook(Book<V, C> book, Datastore store, InstantSource clock) {
        this.book = book;
        this.store = store;
        this.clock = clock;
        this.shared = StoreRanges.several(store);
    }

    @Override
    public Page<V, C> open() {
        return book.open();
    }

    @Override
    public void forget() {
        book.forget();
    }

    @Override
    public List<Because> remarks(List<C> changes) {
        if (!shared || changes.isEmpty()) {
            return List.of();
        }
        var look = look();
        var remarks = new ArrayList<Because>(look.uncompared());
        look.overlaps().stream()
                .filter(overlap -> changes.stream()
                        .flatMap(change -> change.granted().stream())
                        .anyMatch(overlap::touches))
                .forEach(remarks::add);
        return remarks;
    }

    private Look look() {
        var now = clock.instant();
        var known = last;
        if (known == null || known.until().isBefore(now)) {
            var ranges = StoreRanges.fetch(store);
            var until = now.plus(ranges.shared() ? KEPT_MAX : ALONE_KEPT_MAX);
            known = new Look(until, ranges.overlaps(), ranges.uncompared());
            last = known;
        }
        return known;
    }
}
