package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockLack;
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
/// A page begins with next to nothing and reads what the engine asks for. After a conflict, the next
/// page begins with what the one before had read, and every document that was to be written is read
/// again, at once: so one look teaches all that the requests of a batch need, however many of their
/// documents are not as believed. What else is outdated will be a conflict in its turn, so a stale page
/// costs a retry and never gives an address twice. A claim is tried by creating the block, since there
/// rivals meet anyway; only when that failed a few times are all blocks listed, once.
///
/// All changes of a page are one commit. If it is not answered it may arrive at any time, also while the
/// next page, which reads everything anew, is being read. Then that page sees it in some documents and
/// not in others. A block that was read too early is written by whoever tries again, and fails; one that
/// was not there is looked for again when the handle is found to count it.
public final class CalicoBook implements Book<BlockView, BlockChange> {

    /// What was read for one attempt serves others for this long.
    private static final Duration KEPT_MAX = Duration.ofSeconds(10);

    /// After each this many conflicts in a row everything is read again.
    private static final int CONFLICTS_MAX = 8;

    private final Reader reader;
    private final InstantSource clock;
    private final Memory memory;

    /// What the batch that is under way has met.
    private final AtomicReference<Setback> setback = new AtomicReference<>(Setback.NONE);

    /// A book of which every page reads for itself.
    public CalicoBook(Datastore store, InstantSource clock) {
        this(store, clock, new Memory.Nothing());
    }

    CalicoBook(Datastore store, InstantSource clock, Memory memory) {
        this.reader = new Reader(store);
        this.clock = clock;
        this.memory = memory;
    }

    @Override
    public Page<BlockView, BlockChange> open() {
        return open(setback.get());
    }

    /// The page for whoever met this.
    CalicoPage open(Setback last) {
        if (last.conflicts() == 0) {
            return CalicoPage.of(this, last, memory.recall(), !memory.keeps());
        }
        return last.conflicts() % CONFLICTS_MAX == 0 || outdated(last)
                ? CalicoPage.of(this, last, nothing(last), true)
                : CalicoPage.of(this, last, last.remedy().get(), false);
    }

    private boolean outdated(Setback last) {
        return !clock.instant().isBefore(last.since().plus(KEPT_MAX));
    }

    /// What a page begins with that is to read everything for itself. The blocks that others had created
    /// are among it, or they would be tried again.
    Knowledge nothing(Setback last) {
        var collisions = last.collisions();
        return last.collidedOften()
                ? listing(Knowledge.NONE, collisions)
                : Knowledge.NONE.readingAgain(blocks(collisions), reader);
    }

    private static List<CalicoKey> blocks(List<Prefix> cidrs) {
        return cidrs.stream().distinct().<CalicoKey>map(CalicoKey.OfBlock::new).toList();
    }

    private Knowledge listing(Knowledge read, List<Prefix> collisions) {
        var more = read;
        for (var family : collisions.stream().map(Prefix::family).distinct().toList()) {
            more = more.reading(new BlockLack.OfAllBlocks(family), reader);
        }
        return more;
    }

    @Override
    public void forget() {
        setback.set(Setback.NONE);
        memory.forget();
    }

    Reader reader() {
        return reader;
    }

    /// Whether handles are taken for new until a write says otherwise. Whoever reads for himself anyway
    /// reads them too, so that what he is told without a write is exact; and so does whoever met a
    /// conflict, who may have believed it of a handle that is there.
    boolean assumesHandles(Setback last) {
        return memory.keeps() && last.conflicts() == 0;
    }

    Commit commit(List<Write> writes) {
        return reader.store().commit(writes);
    }

    /// Whoever met conflicts needs no further attempt. What was read for him is old for the next.
    void settled() {
        setback.set(Setback.NONE);
    }

    /// A page was written.
    void saved(Knowledge read, List<Saved> saved) {
        settled();
        memory.keep(read, saved);
    }

    /// A page was not written, since this document was not as it believed.
    void refused(CalicoPage page, CalicoKey key, Commit.Kind kind) {
        setback.set(after(page, key, kind));
    }

    /// What it is to have met this too. Not read before the next page is opened: whoever steps aside for his
    /// rivals would otherwise come back with what was true before they came.
    Setback after(CalicoPage page, CalicoKey key, Commit.Kind kind) {
        var former = page.setback();
        var read = page.knowledge();
        var written = page.documents().written();
        var counted = former.after(key, kind, clock.instant());
        boolean tooMany = counted.collidedOften() && !former.collidedOften();
        return counted.with(
                () ->
                        tooMany
                                ? better(
                                        listing(read, counted.collisions()),
                                        unlisted(written, counted.collisions()))
                                : better(read, written));
    }

    /// A part of a page was written, and then this document was not as it believed. Everything has to be
    /// read again; the places that others had taken are still not tried again.
    void stopped(CalicoPage page, CalicoKey key, Commit.Kind kind) {
        memory.forget();
        var counted = page.setback().after(key, kind, clock.instant());
        setback.set(counted.with(() -> nothing(counted)));
    }

    private static List<CalicoKey> unlisted(List<CalicoKey> written, List<Prefix> collisions) {
        var families = collisions.stream().map(Prefix::family).toList();
        return written.stream()
                .filter(
                        key ->
                                !(key instanceof CalicoKey.OfBlock(var cidr)
                                        && families.contains(cidr.family())))
                .toList();
    }

    /// What was read, and all that was to be written as it is now.
    ///
    /// Where documents are written one after another, an affinity that changed is reason to look at its
    /// block as well: what would be announced on an outdated block has to be taken back.
    private Knowledge better(Knowledge read, List<CalicoKey> written) {
        var keys = new LinkedHashSet<>(written);
        if (!reader.store().atomic()) {
            for (var key : written) {
                if (key instanceof CalicoKey.OfAffinity(_, var cidr)) {
                    keys.add(new CalicoKey.OfBlock(cidr));
                }
            }
        }
        return read.readingAgain(keys, reader);
    }
}
