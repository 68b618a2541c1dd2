package io.cadastre.verification.simulation.block;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Missing;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A book whose pages take few changes, so that most decisions about several blocks are saved in parts.
///
/// @param cuts counts the decisions that did not fit into an empty page
record NarrowBook(Book<BlockView, BlockChange> book, int changesMax, AtomicInteger cuts)
        implements Book<BlockView, BlockChange> {

    @Override
    public Page<BlockView, BlockChange> open() {
        return new NarrowPage(this, book.open(), 0);
    }

    @Override
    public void forget() {
        book.forget();
    }

    private record NarrowPage(NarrowBook narrow, Page<BlockView, BlockChange> page, int noted)
            implements Page<BlockView, BlockChange> {

        @Override
        public BlockView view() {
            return page.view();
        }

        @Override
        public Page<BlockView, BlockChange> with(List<BlockChange> changes) {
            int wanted = noted + changes.size();
            if (wanted > narrow.changesMax) {
                if (noted == 0) {
                    narrow.cuts.incrementAndGet();
                }
                throw new PageFullException(wanted, narrow.changesMax, narrow.changesMax - noted);
            }
            return new NarrowPage(narrow, page.with(changes), wanted);
        }

        @Override
        public Page<BlockView, BlockChange> reading(Missing missing) {
            return new NarrowPage(narrow, page.reading(missing), noted);
        }

        @Override
        public Optional<Page<BlockView, BlockChange>> assuming(List<Missing> allMissing) {
            return page.assuming(allMissing).map(assumed -> new NarrowPage(narrow, assumed, noted));
        }

        @Override
        public void checkRefusal() {
            page.checkRefusal();
        }

        @Override
        public boolean shows(Holding holding) {
            return page.shows(holding);
        }

        @Override
        public boolean showsGrant(BlockChange change, Holding granted) {
            return page.showsGrant(change, granted);
        }

        @Override
        public Optional<Commit.Done> findApplied() {
            return page.findApplied();
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            return page.save(stopped);
        }
    }
}
