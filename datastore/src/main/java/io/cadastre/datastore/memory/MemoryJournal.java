package io.cadastre.datastore.memory;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalRules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// A journal that lasts as long as the process, and grows as long as it is appended to.
public final class MemoryJournal implements Journal {

    /// Guards the drafts, so that whoever appends sees the last record.
    private final ReentrantLock lock = new ReentrantLock();

    private final List<Draft> drafts = new ArrayList<>();

    /// Zero until there is a span.
    private int spanBytes;

    private boolean closed;

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        locked(
                () -> {
                    var last =
                            drafts.isEmpty()
                                    ? Optional.<Entry>empty()
                                    : Optional.of(entry(drafts.size()));
                    var added = List.copyOf(next.apply(last));
                    JournalRules.checkDrafts(added);
                    checkSpanSizes(added);
                    return drafts.addAll(added);
                });
    }

    @Override
    public List<Entry> read(long from, int limit) {
        JournalRules.checkPage(from, limit);
        return locked(
                () -> {
                    var entries = new ArrayList<Entry>();
                    for (long number = from;
                            number <= drafts.size() && entries.size() < limit;
                            number++) {
                        entries.add(entry((int) number));
                    }
                    return List.copyOf(entries);
                });
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(from, limit);
        return locked(
                () -> {
                    var entries = new ArrayList<Entry>();
                    for (long number = from;
                            number <= drafts.size() && entries.size() < limit;
                            number++) {
                        if (matches(drafts.get((int) number - 1), query)) {
                            entries.add(entry((int) number));
                        }
                    }
                    return List.copyOf(entries);
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

    /// The first span ever appended sets the size of all.
    private void checkSpanSizes(List<Draft> added) {
        var spans = added.stream().flatMap(draft -> draft.spans().stream()).toList();
        if (!spans.isEmpty()) {
            int bytes = spanBytes == 0 ? spans.getFirst().first().size() : spanBytes;
            spans.forEach(span -> JournalRules.checkSpanSize(span, bytes));
            spanBytes = bytes;
        }
    }

    private Entry entry(int number) {
        var draft = drafts.get(number - 1);
        return new Entry(number, draft.at(), draft.content());
    }

    private static boolean matches(Draft draft, Query query) {
        return switch (query) {
            case Query.Overlapping(var wanted) ->
                    draft.spans().stream()
                            .anyMatch(
                                    span ->
                                            span.first().compareTo(wanted.last()) <= 0
                                                    && span.last().compareTo(wanted.first()) >= 0);
            case Query.Named(var name) -> draft.names().contains(name);
            case Query.Between(var from, var until) ->
                    !draft.at().isBefore(from) && draft.at().isBefore(until);
        };
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
}
