package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.wire.calico.CalicoPage.Saved;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// Blocks, affinities and handles in any store, in the form in which Calico has them in etcd.
///
/// A page begins with next to nothing and reads what the engine asks for. After a conflict, the next page
/// begins with what the one before had read, and every document that was to be written is read again, at
/// once: so one read covers all that the requests of a batch need, however many of their documents are not
/// as expected. Whatever else is outdated causes a conflict in its turn, so a stale page costs a retry and
/// never gives an address twice. A claim is tried by creating the block, since rivals meet there anyway;
/// only when that failed a few times are all blocks listed, once.
///
/// All changes of a page are one commit. If it is not answered it may arrive at any time, also while the
/// next page, which reads everything anew, is being read. Then that page sees it in some documents and not
/// in others. A block that was read too early is written by the next attempt, which fails; one that was not
/// there is looked for again when the handle is found to count it.
public final class CalicoBook implements Book<BlockView, BlockChange> {

    /// What was read for one attempt serves others for this long.
    private static final Duration KEPT_MAX = Duration.ofSeconds(10);

    /// After each this many conflicts in a row everything is read again.
    private static final int CONFLICTS_MAX = 8;

    private final CalicoReader reader;
    private final InstantSource clock;
    private final DocumentCache memory;

    /// What the batch that is under way has met.
    private final AtomicReference<ConflictStreak> streak = new AtomicReference<>(ConflictStreak.NONE);

    /// A book of which every page reads for itself.
    public CalicoBook(Datastore store, InstantSource clock) {
        this(store, clock, new DocumentCache.Nothing());
    }

    CalicoBook(Datastore store, InstantSource clock, DocumentCache memory) {
        this.reader = new CalicoReader(store);
        this.clock = clock;
        this.memory = memory;
    }

    @Override
    public Page<BlockView, BlockChange> open() {
        return open(streak.get());
    }

    /// The page that follows these conflicts.
    CalicoPage open(ConflictStreak last) {
        if (last.conflicts() == 0) {
            return CalicoPage.of(this, last, memory.recall(), !memory.keeps());
        }
        return last.conflicts() % CONFLICTS_MAX == 0 || outdated(last)
                ? CalicoPage.of(this, last, nothing(last), true)
                : CalicoPage.of(this, last, last.remedy().get(), false);
    }

    private boolean outdated(ConflictStreak last) {
        return !clock.instant().isBefore(last.since().plus(KEPT_MAX));
    }

    /// What a page begins with that is to read everything for itself. The blocks that others had created
    /// are among it, or they would be tried again.
    CalicoSnapshot nothing(ConflictStreak last) {
        var collisions = last.collisions();
        return last.collidedOften()
                ? listing(CalicoSnapshot.NONE, collisions)
                : CalicoSnapshot.NONE.readingAgain(blocks(collisions), reader);
    }

    private static List<CalicoKey> blocks(List<Prefix> cidrs) {
        return cidrs.stream().distinct().<CalicoKey>map(CalicoKey.OfBlock::new).toList();
    }

    private CalicoSnapshot listing(CalicoSnapshot read, List<Prefix> collisions) {
        var more = read;
        for (var family : collisions.stream().map(Prefix::family).distinct().toList()) {
            more = more.reading(new BlockListing.OfBlocks(family), reader);
        }
        return more;
    }

    @Override
    public void forget() {
        streak.set(ConflictStreak.NONE);
        memory.forget();
    }

    CalicoReader reader() {
        return reader;
    }

    /// Whether handles are taken for new until a write says otherwise. A page that reads for itself anyway
    /// reads them too, so that an answer without a write is exact; and so does a page after a conflict,
    /// which may have taken an existing handle for new.
    boolean assumesHandles(ConflictStreak last) {
        return memory.keeps() && last.conflicts() == 0;
    }

    /// Ends the streak: no further attempt is needed, and what was read for it is old for the next request.
    void settled() {
        streak.set(ConflictStreak.NONE);
    }

    /// A page was written.
    void saved(CalicoSnapshot read, List<Saved> saved) {
        settled();
        memory.keep(read, saved);
    }

    /// A page was not written, since this document was not as expected.
    void refused(CalicoPage page, CalicoKey key, Commit.Kind kind) {
        streak.set(after(page, key, kind));
    }

    /// The streak with this conflict too. Nothing is read before the next page is opened: a request that
    /// steps aside for its rivals would otherwise continue with what was true before they wrote.
    ConflictStreak after(CalicoPage page, CalicoKey key, Commit.Kind kind) {
        var former = page.streak();
        var read = page.snapshot();
        var written = page.documents().written();
        var counted = former.after(key, kind, clock.instant());
        boolean tooMany = counted.collidedOften() && !former.collidedOften();
        return counted.with(() -> tooMany
                ? better(listing(read, counted.collisions()), unlisted(written, counted.collisions()))
                : better(read, written));
    }

    /// A part of a page was written, and then this document was not as expected. Everything has to be read
    /// again; the places that others had taken are still not tried again.
    void stopped(CalicoPage page, CalicoKey key, Commit.Kind kind) {
        memory.forget();
        var counted = page.streak().after(key, kind, clock.instant());
        streak.set(counted.with(() -> nothing(counted)));
    }

    private static List<CalicoKey> unlisted(List<CalicoKey> written, List<Prefix> collisions) {
        var families = collisions.stream().map(Prefix::family).toList();
        return written.stream()
                .filter(key -> !(key instanceof CalicoKey.OfBlock(var cidr) && families.contains(cidr.family())))
                .toList();
    }

    /// What was read, and all that was to be written as it is now.
    ///
    /// Where documents are written one after another, an affinity that changed is reason to look at its
    /// block as well: what would be announced on an outdated block has to be taken back.
    private CalicoSnapshot better(CalicoSnapshot read, List<CalicoKey> written) {
        var keys = new LinkedHashSet<>(written);
        if (!reader.store().atomic()) {
            for (var key : written) {
                if (key instanceof CalicoKey.OfAffinity(var _, var cidr)) {
                    keys.add(new CalicoKey.OfBlock(cidr));
                }
            }
        }
        return read.readingAgain(keys, reader);
    }
}
