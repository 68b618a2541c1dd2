package io.cadastre.datastore;

import java.util.List;

/// What every journal refuses, in the same words everywhere. A breach is an
/// [IllegalArgumentException], and nothing was appended.
public final class JournalRules {

    private JournalRules() {}

    public static void checkPage(long from, int limit) {
        if (from < 1) {
            throw new IllegalArgumentException("number %d: records are numbered from 1".formatted(from));
        }
        if (limit < 1 || limit > Journal.PAGE_RECORDS_MAX) {
            throw new IllegalArgumentException(
                    "limit %d: a page has from 1 to %d records".formatted(limit, Journal.PAGE_RECORDS_MAX));
        }
    }

    public static void checkQuery(Journal.Query query) {
        switch (query) {
            case Journal.Query.Overlapping overlapping -> checkSpan(overlapping.span());
            case Journal.Query.Spanning spanning -> checkSpan(spanning.span());
            case Journal.Query.Named named -> checkName(named.name());
            case Journal.Query.Between between -> {
                if (between.until().isBefore(between.from())) {
                    throw new IllegalArgumentException("from %s until %s: a time does not end before it begins"
                            .formatted(between.from(), between.until()));
                }
            }
        }
    }

    /// Refuses a cut outside of what the journal has.
    ///
    /// @param first the number of the first record
    /// @param last the number of the last one
    public static void checkCut(Journal.Cut cut, long first, long last) {
        if (cut.last() < first || cut.last() > last) {
            throw new IllegalArgumentException(
                    "a cut after record %d: there are records from %d to %d".formatted(cut.last(), first, last));
        }
        if (cut.instead().size() > cut.last() - first + 1) {
            throw new IllegalArgumentException("%d records instead of %d: a cut leaves no more than there were"
                    .formatted(cut.instead().size(), cut.last() - first + 1));
        }
        if (cut.last() == last && cut.instead().isEmpty()) {
            throw new IllegalArgumentException("a cut leaves at least one record");
        }
        checkDrafts(cut.instead());
        checkDrafts(cut.appended());
    }

    public static void checkDrafts(List<Journal.Draft> drafts) {
        if (drafts.size() > Journal.DRAFTS_MAX) {
            throw new IllegalArgumentException(
                    "%d records at once; a journal takes at most %d".formatted(drafts.size(), Journal.DRAFTS_MAX));
        }
        for (var draft : drafts) {
            if (draft.content().size() > Journal.CONTENT_BYTES_MAX) {
                throw new IllegalArgumentException("a record has %d bytes; a record has at most %d"
                        .formatted(draft.content().size(), Journal.CONTENT_BYTES_MAX));
            }
            draft.names().forEach(JournalRules::checkName);
            draft.spans().forEach(JournalRules::checkSpan);
        }
    }

    /// Refuses a span whose ends are not of the size of the journal's other spans.
    public static void checkSpanSize(Journal.Span span, int sizeBytes) {
        if (span.first().size() != sizeBytes) {
            throw new IllegalArgumentException("the ends of a span have %d bytes, those of the journal's other spans %d"
                    .formatted(span.first().size(), sizeBytes));
        }
    }

    private static void checkName(String name) {
        if (name.isEmpty() || Keys.utf8Bytes(name) > Journal.NAME_BYTES_MAX) {
            throw new IllegalArgumentException("a name has %d bytes; a name has from 1 to %d"
                    .formatted(Keys.utf8Bytes(name), Journal.NAME_BYTES_MAX));
        }
    }

    private static void checkSpan(Journal.Span span) {
        int size = span.first().size();
        if (size != span.last().size() || size < 1 || size > Journal.SPAN_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "the ends of a span have %d and %d bytes; both have one size, from 1 to %d"
                            .formatted(size, span.last().size(), Journal.SPAN_BYTES_MAX));
        }
        if (span.first().compareTo(span.last()) > 0) {
            throw new IllegalArgumentException("a span's first end lies after its last");
        }
    }
}
