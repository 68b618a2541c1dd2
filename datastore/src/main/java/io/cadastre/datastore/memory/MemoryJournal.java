package io.cadastre.datastore.memory;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalRules;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// A journal that lasts as long as the process, and grows until it is cut.
public final class MemoryJournal implements Journal {

    /// Guards the drafts, so that every append sees the last record.
    private final ReentrantLock lock = new ReentrantLock();

    private final NavigableMap<Long, Draft> drafts = new TreeMap<>();

    /// Zero until there is a span.
    private int spanBytes;

    private boolean closed;

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        locked(() -> {
            var last = Optional.ofNullable(drafts.lastEntry()).map(MemoryJournal::entry);
            var added = List.copyOf(next.apply(last));
            JournalRules.checkDrafts(added);
            checkSpanSizes(added);
            return add(last.map(Entry::number).orElse(0L) + 1, added);
        });
    }

    @Override
    public List<Entry> read(long from, int limit) {
        JournalRules.checkPage(from, limit);
        return locked(() -> drafts.tailMap(from).entrySet().stream()
                .limit(limit)
                .map(MemoryJournal::entry)
                .toList());
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        return look(look -> look.find(query, from, limit));
    }

    @Override
    public <T> T look(Function<Look, T> work) {
        return locked(() -> work.apply(new MemoryLook()));
    }

    @Override
    public void cut(Function<Look, Optional<Cut>> work) {
        locked(() -> {
            work.apply(new MemoryLook()).ifPresent(this::cut);
            return drafts.size();
        });
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    private void cut(Cut cut) {
        long last = drafts.isEmpty() ? 0 : drafts.lastKey();
        JournalRules.checkCut(cut, drafts.isEmpty() ? 1 : drafts.firstKey(), last);
        checkSpanSizes(cut.instead());
        checkSpanSizes(cut.appended());
        drafts.headMap(cut.last(), true).clear();
        add(cut.last() - cut.instead().size() + 1, cut.instead());
        add(last + 1, cut.appended());
    }

    private long add(long from, List<Draft> added) {
        long number = from;
        for (var draft : added) {
            drafts.put(number, draft);
            number++;
        }
        return number;
    }

    /// The first span ever appended sets the size of all.
    private void checkSpanSizes(List<Draft> added) {
        var spans = added.stream().flatMap(draft -> draft.spans().stream()).toList();
        if (!spans.isEmpty()) {
            int bytes = spanBytes == 0 ? spans.getFirst().first().size() : spanBytes;
            spans.forEach(span -> JournalRules.checkSpanSize(span, bytes));
            spanBytes = bytes;
        }
    }

    private static Entry entry(Map.Entry<Long, Draft> numbered) {
        var draft = numbered.getValue();
        return new Entry(numbered.getKey(), draft.at(), draft.content());
    }

    private static List<Entry> matching(Map<Long, Draft> among, Query query, int limit) {
        return among.entrySet().stream()
                .filter(numbered -> matches(numbered.getValue(), query))
                .limit(limit)
                .map(MemoryJournal::entry)
                .toList();
    }

    private static boolean matches(Draft draft, Query query) {
        return switch (query) {
            case Query.Overlapping(var wanted) -> draft.spans().stream().anyMatch(span -> overlap(span, wanted));
            case Query.Spanning(var wanted) -> draft.spans().contains(wanted);
            case Query.Named(var name) -> draft.names().contains(name);
            case Query.Between(var from, var until) ->
                !draft.at().isBefore(from) && draft.at().isBefore(until);
        };
    }

    private static boolean overlap(Span one, Span other) {
        return one.first().compareTo(other.last()) <= 0 && one.last().compareTo(other.first()) >= 0;
    }

    private <T> T locked(Supplier<T> call) {
        lock.lock();
        try {
            if (closed) {
                throw new DatastoreException(Kind.CLOSED, "the journal is closed");
            }
            return call.get();
        } finally {
            lock.unlock();
        }
    }

    /// The journal as it is while it is locked.
    private final class MemoryLook implements Look {

        @Override
        public void scan(Consumer<Filed> each) {
            for (var numbered : drafts.entrySet()) {
                var draft = numbered.getValue();
                each.accept(new Filed(
                        numbered.getKey(),
                        entry(numbered),
                        draft.names().stream().distinct().toList(),
                        draft.spans().stream().distinct().toList()));
            }
        }

        @Override
        public List<Entry> find(Query query, long from, int limit) {
            JournalRules.checkQuery(query);
            JournalRules.checkPage(from, limit);
            return matching(drafts.tailMap(from), query, limit);
        }

        @Override
        public List<Entry> findBack(Query query, long to, int limit) {
            JournalRules.checkQuery(query);
            JournalRules.checkPage(to, limit);
            return matching(drafts.headMap(to, true).descendingMap(), query, limit);
        }

        @Override
        public List<Span> spansOverlapping(Span span) {
            JournalRules.checkQuery(new Query.Overlapping(span));
            return drafts.values().stream()
                    .flatMap(draft -> draft.spans().stream())
                    .filter(one -> overlap(one, span))
                    .distinct()
                    .toList();
        }

        @Override
        public long lastNumber() {
            return drafts.isEmpty() ? 0 : drafts.lastKey();
        }

        @Override
        public long lastUntil(Instant at) {
            return drafts.entrySet().stream()
                    .filter(numbered -> !numbered.getValue().at().isAfter(at))
                    .max(Comparator.<Map.Entry<Long, Draft>, Instant>comparing(
                                    numbered -> numbered.getValue().at())
                            .thenComparing(Map.Entry::getKey))
                    .map(Map.Entry::getKey)
                    .orElse(0L);
        }
    }
}
