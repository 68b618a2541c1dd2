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
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Blocks, affinities and handles in any store, in the form in which Calico has them in etcd.
///
/// A page begins with next to nothing and reads what the engine asks for. After a conflict, the next
/// page begins with what the one before had read, and only the document in question is read again:
/// what else is outdated will be a conflict in its turn, so a stale page costs a retry and never gives
/// an address twice. A claim is tried by creating the block, since there rivals meet anyway; only when
/// that failed a few times are all blocks listed, once.
///
/// All changes of a page are one commit. If it is not answered it may arrive at any time, also while the
/// next page, which reads everything anew, is being read. Then that page sees it in some documents and
/// not in others. A block that was read too early is written by whoever tries again, and fails; one that
/// was not there is looked for again when the handle is found to count it.
public final class CalicoBook implements Book<BlockView, BlockChange> {

    /// What was read for one attempt serves others for this long.
    private static final Duration KEPT_MAX = Duration.ofSeconds(10);

    /// After this many conflicts in a row everything is read again.
    private static final int CONFLICTS_MAX = 8;

    /// After this many blocks that others had created all are listed.
    private static final int COLLISIONS_MAX = 3;

    private final Reader reader;
    private final InstantSource clock;
    private final Memory memory;
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

    /// Conflicts since the last commit that went well.
    ///
    /// @param remedy reads what the next page begins with. Not before that page is opened: whoever steps
    ///     aside for his rivals would otherwise come back with what was true before they came
    /// @param since when the first of them was
    /// @param collisions blocks that others had created
    private record Setback(
            Supplier<Knowledge> remedy, Instant since, int conflicts, List<Prefix> collisions) {

        static final Setback NONE = new Setback(() -> Knowledge.NONE, Instant.MIN, 0, List.of());

        /// This and one more conflict.
        Setback after(CalicoKey key, Commit.Kind kind, Instant now) {
            var collided = new ArrayList<>(collisions);
            if (kind == Commit.Kind.EXISTS && key instanceof CalicoKey.OfBlock(var cidr)) {
                collided.add(cidr);
            }
            return new Setback(
                    remedy, conflicts == 0 ? now : since, conflicts + 1, List.copyOf(collided));
        }

        Setback with(Supplier<Knowledge> better) {
            return new Setback(better, since, conflicts, collisions);
        }

        boolean collidedOften() {
            return collisions.size() >= COLLISIONS_MAX;
        }
    }

    @Override
    public Page<BlockView, BlockChange> open() {
        var last = setback.get();
        return lasts(last)
                ? CalicoPage.of(this, last.remedy().get(), false)
                : CalicoPage.of(this, memory.recall(), !memory.keeps());
    }

    /// What a page begins with that is to read everything for itself. The blocks that others had created
    /// are among it, or they would be tried again.
    Knowledge nothing() {
        var collisions = lasting().collisions();
        var more = Knowledge.NONE;
        for (var cidr : collisions) {
            if (!more.view().knowsBlock(cidr)) {
                more =
                        collisions.size() < COLLISIONS_MAX
                                ? readAgain(more, new CalicoKey.OfBlock(cidr))
                                : more.reading(new BlockLack.OfAllBlocks(cidr.family()), reader);
            }
        }
        return more;
    }

    private boolean lasts(Setback last) {
        return last.conflicts() > 0 && clock.instant().isBefore(last.since().plus(KEPT_MAX));
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
    /// reads them too, so that what he is told without a write is exact.
    boolean assumesHandles() {
        return memory.keeps();
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
    void refused(Knowledge read, CalicoKey key, Commit.Kind kind) {
        var former = lasting();
        var counted = former.after(key, kind, clock.instant());
        boolean tooMany = counted.collidedOften() && !former.collidedOften();
        remember(counted.with(() -> better(read, key, counted.collisions(), tooMany)));
    }

    /// A part of a page was written, and then this document was not as it believed. Everything has to be
    /// read again; the places that others had taken are still not tried again.
    void stopped(CalicoKey key, Commit.Kind kind) {
        memory.forget();
        remember(lasting().after(key, kind, clock.instant()).with(this::nothing));
    }

    private Setback lasting() {
        var last = setback.get();
        return lasts(last) ? last : Setback.NONE;
    }

    private void remember(Setback next) {
        if (next.conflicts() >= CONFLICTS_MAX) {
            forget();
        } else {
            setback.set(next);
        }
    }

    private Knowledge better(
            Knowledge read, CalicoKey key, List<Prefix> collisions, boolean tooMany) {
        return tooMany
                ? read.reading(new BlockLack.OfAllBlocks(collisions.getLast().family()), reader)
                : readAgainWithBlock(read, key);
    }

    /// Where documents are written one after another, an affinity that changed is reason to look at its
    /// block as well: what would be announced on an outdated block has to be taken back.
    private Knowledge readAgainWithBlock(Knowledge read, CalicoKey key) {
        var again = readAgain(read, key);
        return key instanceof CalicoKey.OfAffinity(_, var cidr) && !reader.store().atomic()
                ? readAgain(again, new CalicoKey.OfBlock(cidr))
                : again;
    }

    private Knowledge readAgain(Knowledge read, CalicoKey key) {
        try {
            return read.reading(key, reader);
        } catch (UnparsableEntryException unreadable) {
            if (key instanceof CalicoKey.OfBlock(var cidr)) {
                // A block that nobody can read is still somebody's, and others can be claimed.
                return read.knowingUnreadable(cidr);
            }
            throw unreadable;
        }
    }
}
