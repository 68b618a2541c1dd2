package io.cadastre.controller.spiderpool.collection;

import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The pods that a watch reports, and those of them that end or are gone, with the time from which on their addresses
/// may be released. While nothing is collected it keeps nothing.
final class PodTraces implements KindHandler {

    private final int eventsMax;
    private final int podsMax;

    /// Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<PodKey, PodSighting> seen = new HashMap<>();
    private final Set<PodKey> listed = new HashSet<>();
    private final SequencedMap<TracedPod, Happening> happenings = new LinkedHashMap<>();
    private final SequencedMap<TracedPod, Trace> traces = new LinkedHashMap<>();
    private boolean following;

    /// A pod that is distinguished from others of its name.
    record TracedPod(PodKey key, String uid) {}

    /// What a watch reported of a pod.
    sealed interface Happening {

        PodSighting pod();

        record Gone(PodSighting pod) implements Happening {}

        record Appeared(PodSighting pod) implements Happening {}

        record Changed(PodSighting before, PodSighting pod) implements Happening {}
    }

    /// A pod that ends or is gone.
    ///
    /// @param stop from when on its addresses may be released
    /// @param failures how often that was tried
    record Trace(Instant stop, int failures) {}

    PodTraces(PoolGcSettings settings) {
        this.eventsMax = settings.eventsMax();
        this.podsMax = settings.podsMax();
    }

    @FunctionalInterface
    private interface Work<T> {
        T done();
    }

    private <T> T locked(Work<T> work) {
        lock.lock();
        try {
            return work.done();
        } finally {
            lock.unlock();
        }
    }

    private void withLock(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    // ---- whether it follows ----

    /// From now on it keeps what is reported. Pods that were reported before are not known until they are noted.
    void follow() {
        withLock(() -> following = true);
    }

    /// Forgets everything.
    void rest() {
        withLock(() -> {
            following = false;
            seen.clear();
            happenings.clear();
            traces.clear();
        });
    }

    boolean following() {
        return locked(() -> following);
    }

    // ---- what the watch reports ----

    @Override
    public String kind() {
        return "pods";
    }

    @Override
    public String prefix() {
        return CoreKeys.PODS;
    }

    @Override
    public void begin() {
        withLock(listed::clear);
    }

    @Override
    public void fill(List<Document> documents) {
        documents.forEach(document -> {
            note(document);
            PodSighting.key(document.key())
                    .ifPresent(key -> withLock(() -> {
                        if (following) {
                            listed.add(key);
                        }
                    }));
        });
    }

    @Override
    public void complete(long revision) {
        withLock(() -> {
            List.copyOf(seen.values()).stream()
                    .filter(pod -> !listed.contains(pod.key()) && pod.revision() <= revision)
                    .forEach(this::noteGone);
            listed.clear();
        });
    }

    @Override
    public void change(Watch.Notice.Changed notice) {
        for (var change : notice.changes()) {
            switch (change) {
                case Watch.Change.Put(var document) -> note(document);
                case Watch.Change.Deleted(var key, var _) ->
                    PodSighting.key(key)
                            .ifPresent(pod -> withLock(() -> {
                                var known = seen.get(pod);
                                if (known != null) {
                                    noteGone(known);
                                }
                            }));
            }
        }
    }

    @Override
    public void lost() {}

    /// A pod as the store has it, from the watch or from a list. One that cannot be read is left to the scan.
    void note(Document document) {
        PodSighting.key(document.key()).ifPresent(key -> {
            if (following()) {
                try {
                    var pod = PodSighting.read(key, document);
                    withLock(() -> note(pod));
                } catch (UnreadableDocumentException _) {
                    withLock(() -> seen.remove(key));
                }
            }
        });
    }

    /// Only with the lock.
    private void note(PodSighting pod) {
        var before = seen.get(pod.key());
        if (!following
                || (before != null && before.revision() >= pod.revision())
                || (before == null && seen.size() >= podsMax)) {
            return;
        }
        if (before != null && !before.uid().equals(pod.uid())) {
            noteGone(before);
            before = null;
        }
        var happened = happening(before, pod);
        if (happened.isEmpty() || add(happened.get())) {
            seen.put(pod.key(), pod);
        }
    }

    private static Optional<Happening> happening(@Nullable PodSighting before, PodSighting pod) {
        if (before == null) {
            return pod.deletion() instanceof Deletion.Begun || pod.phase() == Phase.ENDED
                    ? Optional.of(new Happening.Appeared(pod))
                    : Optional.empty();
        }
        return !pod.deletion().equals(before.deletion())
                        || (pod.phase() == Phase.ENDED && before.phase() != Phase.ENDED)
                ? Optional.of(new Happening.Changed(before, pod))
                : Optional.empty();
    }

    /// Only with the lock.
    private void noteGone(PodSighting pod) {
        seen.remove(pod.key());
        add(new Happening.Gone(pod));
    }

    /// Of one pod the latest counts. Only with the lock.
    ///
    /// @return whether there was room for it
    private boolean add(Happening happening) {
        var pod = new TracedPod(happening.pod().key(), happening.pod().uid());
        boolean room = happenings.containsKey(pod) || happenings.size() < eventsMax;
        if (room) {
            happenings.put(pod, happening);
        }
        return room;
    }

    // ---- what follows from it ----

    /// Has a pod looked at that a scan found.
    void suspect(PodSighting pod) {
        withLock(() -> add(new Happening.Appeared(pod)));
    }

    /// What has happened since this was last called.
    List<Happening> takeHappenings() {
        return locked(() -> {
            var taken = List.copyOf(happenings.values());
            happenings.clear();
            return taken;
        });
    }

    /// Puts back what could not be looked at.
    void putBack(Happening happening) {
        withLock(() -> {
            var pod = new TracedPod(happening.pod().key(), happening.pod().uid());
            if (!happenings.containsKey(pod) && !add(happening)) {
                overlook(pod);
            }
        });
    }

    /// The pod's addresses may be released from this time on.
    void trace(TracedPod pod, Instant stop) {
        withLock(() -> {
            if (following && (traces.containsKey(pod) || traces.size() < podsMax)) {
                traces.put(pod, new Trace(stop, 0));
            } else {
                overlook(pod);
            }
        });
    }

    /// Has the pod count as one that was never seen, so that the next scan reports it once more. Only with the lock.
    private void overlook(TracedPod pod) {
        var known = seen.get(pod.key());
        if (known != null && known.uid().equals(pod.uid())) {
            seen.remove(pod.key());
        }
    }

    /// Leaves to the next scan a pod that could not be understood.
    void leaveToScan(Happening happening) {
        withLock(() ->
                overlook(new TracedPod(happening.pod().key(), happening.pod().uid())));
    }

    /// The pods whose time has come.
    List<TracedPod> due(Instant now) {
        return locked(() -> {
            var due = new ArrayList<TracedPod>();
            traces.forEach((pod, trace) -> {
                if (now.isAfter(trace.stop())) {
                    due.add(pod);
                }
            });
            return due;
        });
    }

    void forget(TracedPod pod) {
        withLock(() -> traces.remove(pod));
    }

    /// The release failed. The pod is due again, unless that was the last try.
    void failed(TracedPod pod, int triesMax) {
        withLock(() -> {
            traces.computeIfPresent(
                    pod,
                    (_, trace) ->
                            trace.failures() + 1 < triesMax ? new Trace(trace.stop(), trace.failures() + 1) : null);
            if (!traces.containsKey(pod)) {
                overlook(pod);
            }
        });
    }
}
