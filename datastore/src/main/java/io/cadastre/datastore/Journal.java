package io.cadastre.datastore;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An append-only sequence of records, found again by number, time, name and span.
///
/// A journal does not interpret what it keeps; the caller that appends says under which names and spans
/// a record is found. Records are numbered from one without gaps. The oldest may be cut off and
/// replaced by fewer, which have the last of their numbers; so the first number may be greater than
/// one, and still there are no gaps.
public interface Journal extends AutoCloseable {

    /// Every journal gives pages of up to this many records.
    int PAGE_RECORDS_MAX = 1000;

    /// Every journal takes up to this many records at once.
    int DRAFTS_MAX = 10_000;

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

    /// Gives what the work finds out of one state of the journal. The work must not use the journal
    /// itself, and may not keep what it was given.
    <T> T look(Function<Look, T> work);

    /// Cuts off the oldest records, durably and all or none, while no other writer of any process can
    /// append. The work must not use the journal itself. An empty answer cuts nothing, and what it throws
    /// is thrown on.
    void cut(Function<Look, Optional<Cut>> work);

    @Override
    void close();

    /// One state of a journal.
    interface Look {

        /// Passes every record and all it is filed under, in the order of the numbers.
        void scan(Consumer<Filed> each);

        /// Records that match, from this number on, in the order of their numbers.
        List<Entry> find(Query query, long from, int limit);

        /// Records that match and have no greater number than this, newest first.
        List<Entry> findBack(Query query, long to, int limit);

        /// The different spans that overlap this one, in no order.
        List<Span> spansOverlapping(Span span);

        /// The number of the last record, whatever its time. Zero if there is none.
        long lastNumber();

        /// The number of the latest record that is not after this time; of those of one time the last
        /// one. Zero if there is none.
        long lastUntil(Instant at);
    }

    /// Which records are cut off.
    ///
    /// @param last the number of the last one
    /// @param instead what stands in their place, not more than they are
    /// @param appended what is appended at the same time
    record Cut(long last, List<Draft> instead, List<Draft> appended) {
        public Cut {
            instead = List.copyOf(instead);
            appended = List.copyOf(appended);
        }
    }

    /// What is found under a number: a record with the names and spans that queries find it by, in no
    /// order. A name or a span may be left of a record that is gone.
    record Filed(long number, @Nullable Entry entry, List<String> names, List<Span> spans) {
        public Filed {
            names = List.copyOf(names);
            spans = List.copyOf(spans);
        }
    }

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

        /// Those with exactly this span.
        record Spanning(Span span) implements Query {}

        /// Those with this name.
        record Named(String name) implements Query {}

        /// Those not before `from` and before `until`.
        record Between(Instant from, Instant until) implements Query {}
    }
}
