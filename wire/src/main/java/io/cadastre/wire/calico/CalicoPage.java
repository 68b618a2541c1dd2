package io.cadastre.wire.calico;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.index.BlockSnapshot;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.calico.CalicoWriteSet.KeyedWrite;
import io.cadastre.wire.calico.OrderedWrites.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// One reading of the book of blocks, which reads on as it is asked.
///
/// @param streak what was met on the way to it
/// @param snapshot what is known of the store, without what is noted
/// @param verified whether all of it was read for this page
/// @param assumed handles that are assumed to be missing without a look at the store
/// @param trusted those of them that are going to be created, which will fail if they are there
/// @param noted the changes in their order
record CalicoPage(
        CalicoBook book,
        ConflictStreak streak,
        CalicoSnapshot snapshot,
        boolean verified,
        SortedSet<String> assumed,
        SortedSet<String> trusted,
        List<BlockChange> noted,
        CalicoWriteSet documents,
        BlockSnapshot known)
        implements Page<BlockView, BlockChange> {

    static CalicoPage of(CalicoBook book, ConflictStreak streak, CalicoSnapshot snapshot, boolean verified) {
        return new CalicoPage(
                book,
                streak,
                snapshot,
                verified,
                Collections.emptySortedSet(),
                Collections.emptySortedSet(),
                List.of(),
                CalicoWriteSet.NONE,
                snapshot.view());
    }

    @Override
    public BlockView view() {
        return known;
    }

    @Override
    public CalicoPage with(List<BlockChange> changes) {
        var further = documents.with(changes, snapshot);
        var untried = assumed.stream()
                .filter(handle -> !further.writes(new CalicoKey.OfHandle(handle)))
                .map(BlockItem.OfHandle::new)
                .toList();
        if (!untried.isEmpty()) {
            throw new NotReadException(untried);
        }
        for (var handle : trusted) {
            if (!further.writes(new CalicoKey.OfHandle(handle))) {
                throw new PageFullException("handle %s would come and go without a look at it".formatted(handle));
            }
        }
        checkTrials(further);
        checkPlaces(changes, further);
        if (changes.isEmpty()) {
            checkRefusal();
        }
        var all = new ArrayList<>(noted);
        all.addAll(changes);
        var trusting = new TreeSet<>(trusted);
        trusting.addAll(assumed);
        return new CalicoPage(
                book,
                streak,
                snapshot,
                verified,
                Collections.emptySortedSet(),
                trusting,
                all,
                further,
                replayed(changes, known));
    }

    /// An answer that writes nothing, a refusal or not, is not tested by a write.
    @Override
    public void checkRefusal() {
        if (!verified) {
            throw new NotReadException(new UnverifiedAnswer());
        }
    }

    /// A place for a block is tried by creating the block. If another request of the same commit gives it
    /// up again, nothing is written, and the page would not notice that it was there already; so that
    /// request has to wait for the next commit.
    private void checkTrials(CalicoWriteSet further) {
        for (var cidr : further.passingBlocks()) {
            if (documents.writes(new CalicoKey.OfBlock(cidr))) {
                throw new PageFullException("block %s would come and go without a look at it".formatted(cidr));
            }
            if (!snapshot.view().knowsBlock(cidr)) {
                throw new NotReadException(new BlockItem.OfBlock(cidr));
            }
        }
    }

    /// What cannot be written is refused before anything else of its decision is.
    private void checkPlaces(List<BlockChange> changes, CalicoWriteSet further) {
        for (var change : changes) {
            var key = CalicoWriteSet.key(change);
            if (further.writes(key) && !book.reader().store().hasPlace(key.text())) {
                throw new DatastoreException(
                        DatastoreException.Kind.FAILED,
                        "%s cannot be kept in this store: nothing there can have such a name".formatted(key.text()));
            }
        }
    }

    /// Listings are read one after another, and single documents together.
    @Override
    public CalicoPage reading(List<Missing> allMissing, List<Missing> soon) {
        var single = keys(allMissing);
        var further = keys(soon);
        if (allMissing.size() == 1 && (single.isEmpty() || further.isEmpty())) {
            return reading(allMissing.getFirst());
        }
        var page = this;
        for (var missing : allMissing) {
            if (!(missing instanceof BlockItem<?>)) {
                page = page.reading(missing);
            }
        }
        var all = new LinkedHashSet<>(single);
        all.addAll(further);
        return all.isEmpty()
                ? page
                : page.knowing(page.snapshot.readingAll(single, all, book.reader()), page.verified, page.without(all));
    }

    private static List<CalicoKey> keys(List<Missing> allMissing) {
        return allMissing.stream()
                .flatMap(missing ->
                        missing instanceof BlockItem<?> item ? Stream.of(CalicoItems.key(item)) : Stream.empty())
                .toList();
    }

    @Override
    public CalicoPage reading(Missing missing) {
        return missing instanceof UnverifiedAnswer
                ? knowing(book.nothing(streak), true, Collections.emptySortedSet())
                : knowing(snapshot.reading(missing, book.reader()), verified, without(keys(List.of(missing))));
    }

    /// What is still assumed after these documents were read.
    private SortedSet<String> without(Collection<CalicoKey> read) {
        var fewer = new TreeSet<>(assumed);
        for (var key : read) {
            if (key instanceof CalicoKey.OfHandle(var id)) {
                fewer.remove(id);
            }
        }
        return fewer;
    }

    /// Most requests for addresses come with a handle that was never used before, and write it. If the
    /// handle is there, that write fails.
    @Override
    public Optional<Page<BlockView, BlockChange>> assuming(List<Missing> allMissing) {
        if (verified || !book.assumesHandles(streak)) {
            return Optional.empty();
        }
        var more = new TreeSet<>(assumed);
        for (var missing : allMissing) {
            if (missing instanceof BlockItem.OfHandle(var id)) {
                more.add(id);
            }
        }
        return more.size() == assumed.size() ? Optional.empty() : Optional.of(knowing(snapshot, verified, more));
    }

    /// What is assumed goes into the view alone. It must not be kept for other requests.
    private CalicoPage knowing(CalicoSnapshot better, boolean allVerified, SortedSet<String> handles) {
        var view = better.view();
        for (var handle : handles) {
            view = view.without(new BlockItem.OfHandle(handle));
        }
        return new CalicoPage(
                book, streak, better, allVerified, handles, trusted, noted, documents, replayed(noted, view));
    }

    private static BlockSnapshot replayed(List<BlockChange> changes, BlockSnapshot view) {
        var newView = view;
        for (var change : changes) {
            newView = newView.with(change);
        }
        return newView;
    }

    @Override
    public Commit save() {
        return save(_ -> {});
    }

    @Override
    public Commit save(Consumer<PartialCommit> stopped) {
        return save(stopped, Recording.none());
    }

    @Override
    public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
        var writes = documents.writes();
        if (writes.isEmpty()) {
            book.settled();
            return new Commit.Done(List.of());
        }
        if (!book.reader().store().atomic()) {
            return saveInStages(stopped);
        }
        var commit = recording.commit(
                book.reader().store(), writes.stream().map(KeyedWrite::write).toList());
        switch (commit) {
            case Commit.Done(var revisions) -> book.saved(snapshot, entries(writes, revisions));
            case Commit.Conflict(var index, var kind) ->
                book.refused(this, writes.get(index).key(), kind);
            case Commit.Unknown _ -> book.forget();
        }
        return commit;
    }

    /// A request that finds the place of a new block taken tries another place, and there may be several in
    /// a row.
    @Override
    public boolean meetAgain(Commit.Conflict conflict) {
        return !book.reader().store().atomic()
                || conflict.kind() != Commit.Kind.EXISTS
                || !(documents.written().get(conflict.index()) instanceof CalicoKey.OfBlock);
    }

    /// Reads all that would be written, and compares it as a commit does.
    @Override
    public Optional<Page<BlockView, BlockChange>> rehearse() {
        var found = book.reader().getAll(documents.written());
        for (var key : documents.written()) {
            var conflict = conflict(documents.before(key), found, key);
            if (conflict.isPresent()) {
                return Optional.of(book.open(book.after(this, key, conflict.get())));
            }
        }
        return Optional.empty();
    }

    private static Optional<Commit.Kind> conflict(
            Optional<StoredDocument> before, CalicoReader.Found found, CalicoKey key) {
        var now = found.entries().getOrDefault(key, Optional.empty());
        boolean there = now.isPresent() || found.unreadable().contains(key);
        if (before.isEmpty()) {
            return there ? Optional.of(Commit.Kind.EXISTS) : Optional.empty();
        }
        if (!there) {
            return Optional.of(Commit.Kind.ABSENT);
        }
        return now.map(StoredDocument::revision).equals(before.map(StoredDocument::revision))
                ? Optional.empty()
                : Optional.of(Commit.Kind.STALE);
    }

    private Commit saveInStages(Consumer<PartialCommit> stopped) {
        var saved = new LinkedHashMap<CalicoKey, Saved>();
        var stages = OrderedWrites.of(documents);
        var keys = stages.stream().flatMap(List::stream).map(Step::key).toList();
        var commit = Commits.saveInStages(
                stages.stream().map(steps -> stage(steps, saved)).toList(), stop -> {
                    stop.conflict()
                            .ifPresentOrElse(
                                    met -> book.stopped(this, keys.get(met.index()), met.kind()), book::forget);
                    stopped.accept(partial(saved.values(), stop.rest()));
                });
        switch (commit) {
            case Commit.Done _ -> book.saved(snapshot, List.copyOf(saved.values()));
            case Commit.Conflict(var index, var kind) -> book.refused(this, keys.get(index), kind);
            case Commit.Unknown _ when saved.isEmpty() -> book.forget();
            case Commit.Unknown _ -> {}
        }
        return commit;
    }

    /// @param saved takes what was written, also if not all was
    private Commits.Stage stage(List<Step> steps, Map<CalicoKey, Saved> saved) {
        return new Commits.Stage(steps.stream().map(step -> step.key().text()).toList(), () -> {
            var writes = steps.stream().map(step -> write(step, saved)).toList();
            var answers = book.reader().store().commitEach(writes);
            var commits = new ArrayList<Commit>();
            for (int index = 0; index < steps.size(); index++) {
                var key = steps.get(index).key();
                var commit = resolved(key, writes.get(index), answers.get(index));
                if (commit instanceof Commit.Done(var revisions)) {
                    saved.put(key, saved(key, steps.get(index).after(), revisions.getFirst()));
                }
                commits.add(commit);
            }
            return commits;
        });
    }

    /// A document that was written before is as it was written.
    private Write write(Step step, Map<CalicoKey, Saved> saved) {
        var former = Optional.ofNullable(saved.get(step.key()));
        return CalicoWriteSet.write(
                step.key().text(),
                former.isPresent() ? former.get().entry() : documents.before(step.key()),
                step.after());
    }

    /// The blocks and addresses that have other holders since these writes.
    private PartialCommit partial(Collection<Saved> saved, PartialCommit.Rest rest) {
        var granted = new ArrayList<Holding>();
        var returned = new ArrayList<Holding>();
        long revision = 0;
        for (var written : saved) {
            var before = block(documents.before(written.key()));
            var after = block(written.entry());
            granted.addAll(BlockHoldings.gained(before, after));
            returned.addAll(BlockHoldings.gained(after, before));
            revision = Math.max(revision, written.revision());
        }
        return new PartialCommit(revision, granted, returned, rest);
    }

    private static Optional<Block> block(Optional<StoredDocument> entry) {
        return entry.map(StoredDocument::content)
                .filter(BlockDocument.class::isInstance)
                .map(content -> ((BlockDocument) content).block());
    }

    /// Resolves a lost answer where the store shows that the write was applied. Only a block
    /// shows it: its number and the holders of its addresses come from this decision, whereas a handle that
    /// was assumed to be new may have had the same counts before.
    private Commit resolved(CalicoKey key, Write write, Commit commit) {
        if (!(commit instanceof Commit.Unknown) || !(key instanceof CalicoKey.OfBlock) || grantsWithoutHandle()) {
            return commit;
        }
        try {
            return book.reader()
                    .store()
                    .findApplied(List.of(write))
                    .<Commit>map(done -> done)
                    .orElse(commit);
        } catch (DatastoreException unreadable) {
            return commit;
        }
    }

    private static List<Saved> entries(List<KeyedWrite> writes, List<Long> revisions) {
        var saved = new ArrayList<Saved>();
        for (int index = 0; index < writes.size(); index++) {
            var write = writes.get(index);
            saved.add(saved(write.key(), write.note().after(), revisions.get(index)));
        }
        return saved;
    }

    private static Saved saved(CalicoKey key, Optional<CalicoDocument> after, long revision) {
        return new Saved(key, after.map(content -> new StoredDocument(key, content, revision)), revision);
    }

    /// What one key holds since our write; empty if we deleted it.
    record Saved(CalicoKey key, Optional<StoredDocument> entry, long revision) {}

    /// Every key that was to be written holds what was to be written, and only this page can have written
    /// it: an address is recognised by the handle that got it. Two requests for an address without a handle
    /// may write the very same bytes; then the writer is unknown.
    @Override
    public Optional<Commit.Done> findApplied() {
        if (grantsWithoutHandle()) {
            return Optional.empty();
        }
        var writes = documents.writes();
        var applied = book.reader()
                .store()
                .findApplied(writes.stream().map(KeyedWrite::write).toList());
        applied.ifPresent(done -> book.saved(snapshot, entries(writes, done.revisions())));
        return applied;
    }

    /// That a block is not its owner's any more is seen in the block alone.
    @Override
    public boolean shows(Holding holding) {
        var read = snapshot.view();
        var found = holding.level() == Level.NODE
                ? read.findBlock(holding.range().prefixes().getFirst())
                : read.findReadBlock(holding.range().first());
        return found.filter(block -> BlockHoldings.gained(Optional.empty(), Optional.of(block))
                        .contains(holding))
                .isPresent();
    }

    /// The numbers show which change gave it. An address has the number at which it was given; and a block
    /// that has not reached the number of the change was its owner's before.
    @Override
    public boolean showsGrant(BlockChange change, Holding granted) {
        return shows(granted) && (!(change instanceof BlockChange.PutBlock put) || showsNumber(put.after(), granted));
    }

    private boolean showsNumber(Block intended, Holding granted) {
        var found = snapshot.view().findBlock(intended.cidr()).orElseThrow();
        if (granted.level() == Level.NODE) {
            return Long.compareUnsigned(found.sequence(), intended.sequence()) >= 0;
        }
        int ordinal = found.ordinal(granted.range().first()).orElseThrow();
        return found.sequenceOf(ordinal) == intended.sequenceOf(ordinal);
    }

    private boolean grantsWithoutHandle() {
        return noted.stream()
                .flatMap(change -> change.granted().stream())
                .anyMatch(holding -> holding.level() == Level.ENDPOINT
                        && holding.state() == State.HELD
                        && !holding.holder().startsWith("handle/"));
    }
}
