package io.cadastre.wire.calico;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoPage.Saved;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// What a host's process keeps in memory: what is watched for it, and the host's blocks as they were
/// last read or written.
///
/// Blocks of the host are not watched, since others write them rarely and a write on an outdated block
/// fails. But a block that seems full is never written; so what was read of a block serves for a
/// limited time. After that it is only known which were full: they are tried last, and read again before
/// the host claims another.
///
/// How many blocks the host has is only read and never compared when it claims another. So an affinity that
/// a page has read is known before the watch reports it, and after a commit without an answer, which may
/// have created some, the watch is not trusted for a while.
final class NodeCache implements DocumentCache {

    /// What was read of a block serves for this long.
    private static final Duration BLOCK_KEPT_MAX = Duration.ofSeconds(10);

    /// By then a watch has reported what was written.
    private static final Duration AFFINITIES_DOUBTED = Duration.ofSeconds(10);

    /// How many documents are learned before those that were known are copied.
    private static final int LEARNED_MAX = 32;

    private final Owner owner;
    private final InstantSource clock;

    /// Guards everything below, and is never held during a store call.
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Subject, WatchedDocuments> bySubject = new EnumMap<>(Subject.class);

    /// What pages wrote or read of what is watched, until the watch reports it too. A list that was read
    /// before may arrive after, so this is kept also while nothing of the subject is known, and used only
    /// when something is.
    private final Map<CalicoKey, Saved> ahead = new HashMap<>();

    private final Map<CalicoKey, KeptBlock> blocks = new HashMap<>();

    /// The host's blocks in which nothing was free when they were last read, too long ago to serve.
    private final Map<CalicoKey, Prefix> lastSeenFull = new HashMap<>();

    private CalicoSnapshot watched = CalicoSnapshot.NONE;
    private CalicoSnapshot watchedButAffinities = CalicoSnapshot.NONE;
    private Instant doubtedUntil = Instant.MIN;
    private CalicoSnapshot recalled = CalicoSnapshot.NONE;
    private Instant recalledUntil = Instant.MIN;

    NodeCache(Owner owner, InstantSource clock) {
        this.owner = owner;
        this.clock = clock;
    }

    /// What is watched.
    enum Subject {
        CONFIG,
        POOLS,
        RESERVATIONS,
        NODE,
        AFFINITIES;

        /// Whether the document belongs to it. Under the prefix of a single one there may be others.
        boolean covers(Owner owner, String key) {
            return switch (this) {
                case CONFIG, NODE -> key.equals(prefix(owner));
                case POOLS, RESERVATIONS, AFFINITIES -> key.startsWith(prefix(owner));
            };
        }

        /// Where it is.
        String prefix(Owner owner) {
            return switch (this) {
                case CONFIG -> CalicoKeys.CONFIG;
                case POOLS -> CalicoKeys.POOLS;
                case RESERVATIONS -> CalicoKeys.RESERVATIONS;
                case NODE -> CalicoKeys.NODES + owner.name();
                case AFFINITIES -> CalicoKeys.affinities(owner);
            };
        }
    }

    /// The documents of one subject as of a revision, by key.
    private record WatchedDocuments(long revision, Map<String, Document> documents) {}

    private record KeptBlock(StoredDocument entry, Instant since) {}

    // ---- what the watches report ----

    /// These are all documents of the subject.
    void fill(Subject subject, long revision, Collection<Document> documents) {
        locked(() -> {
            var byKey = new TreeMap<String, Document>();
            for (var document : documents) {
                if (subject.covers(owner, document.key())) {
                    byKey.put(document.key(), document);
                }
            }
            put(subject, new WatchedDocuments(revision, byKey));
        });
    }

    /// This has changed.
    void change(Subject subject, Watch.Notice.Changed notice) {
        locked(() -> {
            var known = bySubject.get(subject);
            if (known != null) {
                var documents = new TreeMap<>(known.documents());
                for (var change : notice.changes()) {
                    switch (change) {
                        case Watch.Change.Put(var document) -> {
                            if (subject.covers(owner, document.key())) {
                                documents.put(document.key(), document);
                            }
                        }
                        case Watch.Change.Deleted(var key, var _) -> documents.remove(key);
                    }
                }
                put(subject, new WatchedDocuments(notice.revision(), documents));
            }
        });
    }

    /// Changes are not reported any more.
    void clear(Subject subject) {
        locked(() -> {
            bySubject.remove(subject);
            understand();
        });
    }

    boolean complete() {
        lock.lock();
        try {
            return bySubject.size() == Subject.values().length;
        } finally {
            lock.unlock();
        }
    }

    private void put(Subject subject, WatchedDocuments known) {
        bySubject.put(subject, known);
        ahead.values()
                .removeIf(saved -> subject.covers(owner, saved.key().text()) && saved.revision() <= known.revision());
        understand();
    }

    // ---- what pages ask and report ----

    @Override
    public CalicoSnapshot recall() {
        lock.lock();
        try {
            if (!clock.instant().isBefore(recalledUntil)) {
                gather();
            }
            return recalled;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void keep(CalicoSnapshot read, List<Saved> saved) {
        locked(() -> {
            var now = clock.instant();
            var news = new News();
            read.entries().learned().forEach(entry -> keep(entry, now, news));
            for (var written : saved) {
                keep(written, now, news);
            }
            tell(news, now);
        });
    }

    /// What was learned from one page.
    private static final class News {

        private final List<StoredDocument> blocks = new ArrayList<>();

        /// Whether something has to be forgotten, or was learned of what is watched.
        private boolean sweeping;
    }

    private void keep(Saved written, Instant now, News news) {
        switch (written.key()) {
            case CalicoKey.OfBlock key ->
                written.entry().ifPresentOrElse(entry -> keep(entry, now, news), () -> forget(key, news));
            case CalicoKey.OfAffinity(var other, var _) -> {
                if (other.equals(owner)) {
                    stayAhead(written, Subject.AFFINITIES, news);
                }
            }
            case CalicoKey.OfConfig _ -> stayAhead(written, Subject.CONFIG, news);
            case CalicoKey.OfHandle _,
                    CalicoKey.OfHostRecord _,
                    CalicoKey.OfPool _,
                    CalicoKey.OfReservation _,
                    CalicoKey.OfNode _,
                    CalicoKey.OfClusterInformation _ -> {}
        }
    }

    private void keep(StoredDocument entry, Instant now, News news) {
        if (entry.key() instanceof CalicoKey.OfAffinity(var other, var _) && other.equals(owner)) {
            stayAhead(new Saved(entry.key(), Optional.of(entry), entry.revision()), Subject.AFFINITIES, news);
        }
        if (entry.content() instanceof BlockDocument document) {
            var former = blocks.get(entry.key());
            if (former != null && former.entry().revision() > entry.revision()) {
                return;
            }
            if (!document.block().ownedBy(owner)) {
                forget(entry.key(), news);
            } else if (former == null || former.entry().revision() < entry.revision()) {
                lastSeenFull.remove(entry.key());
                blocks.put(entry.key(), new KeptBlock(entry, now));
                news.blocks.add(entry);
            }
        }
    }

    private void forget(CalicoKey block, News news) {
        lastSeenFull.remove(block);
        news.sweeping |= blocks.remove(block) != null;
    }

    /// In the common case a page changed one block of many.
    private void tell(News news, Instant now) {
        if (news.sweeping || !now.isBefore(recalledUntil)) {
            gather();
        } else {
            var more = recalled.with(news.blocks);
            recalled = more.entries().learnedCount() > LEARNED_MAX ? more.settled() : more;
            var end = now.plus(BLOCK_KEPT_MAX);
            recalledUntil = end.isBefore(recalledUntil) ? end : recalledUntil;
        }
    }

    private void stayAhead(Saved written, Subject subject, News news) {
        var known = bySubject.get(subject);
        var former = ahead.get(written.key());
        boolean newer = former == null || former.revision() < written.revision();
        boolean older = known == null || known.revision() < written.revision();
        if (older && newer) {
            ahead.put(written.key(), written);
            news.sweeping |= known != null;
        }
    }

    @Override
    public void forget() {
        locked(() -> {
            blocks.clear();
            lastSeenFull.clear();
            doubtedUntil = clock.instant().plus(AFFINITIES_DOUBTED);
            gather();
        });
    }

    @Override
    public boolean keeps() {
        return true;
    }

    // ---- how it fits together ----

    private void understand() {
        var known = CalicoSnapshot.NONE;
        for (var subject : bySubject.entrySet()) {
            if (subject.getKey() != Subject.AFFINITIES) {
                known = with(
                        known, subject.getKey(), subject.getValue().documents().values());
            }
        }
        watchedButAffinities = known;
        var affinities = bySubject.get(Subject.AFFINITIES);
        watched = affinities == null
                ? known
                : with(known, Subject.AFFINITIES, affinities.documents().values());
        gather();
    }

    private CalicoSnapshot with(CalicoSnapshot known, Subject subject, Collection<Document> documents) {
        var entries = CalicoReader.readable(documents);
        return switch (subject) {
            case CONFIG -> single(known, new CalicoKey.OfConfig(), documents, entries);
            case POOLS -> known.withAll(new BlockListing.OfPools(), entries);
            case RESERVATIONS -> known.withAll(new BlockListing.OfReservations(), entries);
            case NODE -> single(known, new CalicoKey.OfNode(owner.name()), documents, entries);
            case AFFINITIES -> {
                var both = known;
                for (var family : Family.values()) {
                    both = both.withAll(new BlockListing.OfAffinities(owner, family), entries);
                }
                yield both;
            }
        };
    }

    /// A single document that is there and cannot be read is not known, so that a request that needs it
    /// reads it and reports why it cannot be read.
    private static CalicoSnapshot single(
            CalicoSnapshot known, CalicoKey key, Collection<Document> documents, List<StoredDocument> entries) {
        return entries.isEmpty() && !documents.isEmpty()
                ? known
                : known.with(key, entries.stream().findFirst());
    }

    private void gather() {
        var now = clock.instant();
        boolean doubted = now.isBefore(doubtedUntil);
        var known = doubted ? watchedButAffinities : watched;
        for (var saved : ahead.values()) {
            if (watches(saved.key())) {
                known = known.with(saved.key(), saved.entry());
            }
        }
        var until = doubted ? doubtedUntil : Instant.MAX;
        forgetThrough(now.minus(BLOCK_KEPT_MAX));
        known = known.with(blocks.values().stream().map(KeptBlock::entry).toList())
                .havingSeenFull(lastSeenFull.values())
                .settled();
        for (var block : blocks.values()) {
            var end = block.since().plus(BLOCK_KEPT_MAX);
            until = end.isBefore(until) ? end : until;
        }
        recalled = known;
        recalledUntil = until;
    }

    private boolean watches(CalicoKey key) {
        return bySubject.keySet().stream().anyMatch(subject -> subject.covers(owner, key.text()));
    }

    /// What was read of blocks by then does not serve any more; that they had nothing to give does.
    private void forgetThrough(Instant expired) {
        for (var each = blocks.values().iterator(); each.hasNext(); ) {
            var kept = each.next();
            if (!kept.since().isAfter(expired)) {
                each.remove();
                if (kept.entry().content() instanceof BlockDocument document
                        && !document.block().open()) {
                    lastSeenFull.put(kept.entry().key(), document.block().cidr());
                }
            }
        }
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }
}
