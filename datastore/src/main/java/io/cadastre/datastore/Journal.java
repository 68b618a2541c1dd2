package io.cadastre.datastore;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// An append-only sequence of records, found again by number, time, name and span.
///
/// A journal knows nothing of what it keeps; whoever appends says under which names and spans a
/// record is to be found. Records are numbered from one without gaps.
public interface Journal extends AutoCloseable {

    /// Every journal gives pages of up to this many records.
    int PAGE_RECORDS_MAX = 1000;

    /// Every journal takes up to this many records at once.
    int DRAFTS_MAX = 1000;

    /// Every journal takes records up to this size.
    int CONTENT_BYTES_MAX = 1 << 20;

    /// Every journal takes names up to this many bytes of UTF-8.
    int NAME_BYTES_MAX = 1024;

    /// Every journal takes spans whose ends have up to this many bytes.
    int SPAN_BYTES_MAX = 64;

    /// Appends, durably and all or none. The function is given the last record, if any, while no
    /// other writer of any process can append; it may be called again after a failed attempt. It
    /// must not use the journal itself. An empty answer appends nothing, and what it throws is thrown
    /// on.
    void append(Function<Optional<Entry>, List<Draft>> next);

    /// Records from this number on, in the order of their numbers.
    List<Entry> read(long from, int limit);

    /// Records that match, from this number on, in the order of their numbers.
    List<Entry> find(Query query, long from, int limit);

    @Override
    void close();

    /// A record to be appended.
    record Draft(Instant at, Bytes content, List<String> names, List<Span> spans) {
        public Draft {
            names = List.copyOf(names);
            spans = List.copyOf(spans);
        }
    }

    /// A record as it was appended.
    record Entry(long number, Instant at, Bytes content) {}

    /// An interval of an ordered space, both ends included. The ends of all spans of one journal have
    /// one size and are compared byte by byte, unsigned.
    record Span(Bytes first, Bytes last) {}

    /// Which records are looked for.
    sealed interface Query {

        /// Those with a span that overlaps this one.
        record Overlapping(Span span) implements Query {}

        /// Those with this name.
        record Named(String name) implements Query {}

        /// Those not before `from` and before `until`.
        record Between(Instant from, Instant until) implements Query {}
    }
}
