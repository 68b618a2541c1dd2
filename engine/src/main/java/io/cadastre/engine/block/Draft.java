package io.cadastre.engine.block;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockChange.PutBlock;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/// A decision in the making: what was changed so far, and the view as if that had been written.
public final class Draft {

    /// A decision gives this many reasons.
    private static final int REASONS_MAX = 256;

    private final Instant now;
    private final List<BlockChange> changes = new ArrayList<>();
    private final List<Because> because = new ArrayList<>();
    private final List<Integer> seams = new ArrayList<>();
    private BlockView view;
    private int unsaid;

    public Draft(BlockView view, Instant now) {
        this.view = view;
        this.now = now;
    }

    public BlockView view() {
        return view;
    }

    public Instant now() {
        return now;
    }

    boolean unchanged() {
        return changes.isEmpty();
    }

    public boolean writesBlock(Prefix cidr) {
        return writesBlock(changes, cidr);
    }

    public static boolean writesBlock(List<BlockChange> changes, Prefix cidr) {
        return changes.stream()
                .anyMatch(change -> (change instanceof PutBlock put
                                && put.after().cidr().equals(cidr))
                        || (change instanceof DropBlock(var seen) && seen.cidr().equals(cidr)));
    }

    public boolean writesHandle(String id) {
        return writesHandle(changes, id);
    }

    public static boolean writesHandle(List<BlockChange> changes, String id) {
        return changes.stream()
                .anyMatch(change ->
                        (change instanceof PutHandle(var handle) && handle.id().equals(id))
                                || (change instanceof DropHandle(var dropped) && dropped.equals(id)));
    }

    public void write(BlockChange change) {
        changes.add(change);
        view = view.with(change);
    }

    /// Nothing is half done here: the decision may be cut.
    public void seam() {
        if (!changes.isEmpty() && (seams.isEmpty() || seams.getLast() < changes.size())) {
            seams.add(changes.size());
        }
    }

    public void explain(BlockReason reason) {
        if (because.size() < REASONS_MAX) {
            because.add(reason);
        } else {
            unsaid++;
        }
    }

    /// Looks at blocks before anything is done with the first of them. All that have to be read are read
    /// together, and the decision begins anew.
    public void lookAt(Collection<Prefix> blocks) {
        NotReadException.lookAtAll(blocks, view::findBlock);
    }

    /// As [#lookAt(Collection)], at handles.
    public void lookAtHandles(Collection<String> ids) {
        NotReadException.lookAtAll(ids, view::findHandle);
    }

    /// As [#lookAt(Collection)], at what every use of a block depends on, too.
    public void lookAtUsed(Collection<Prefix> blocks) {
        lookAtAll(List.of(BlockView::config, view -> NotReadException.lookAtAll(blocks, view::findBlock)));
    }

    /// Looks at several things, so that all that have to be read are read together.
    public void lookAtAll(List<Consumer<BlockView>> looks) {
        NotReadException.lookAtAll(looks, look -> look.accept(view));
    }

    /// The block as every use begins with it.
    public Block normalised(Block stored) {
        return stored.normalised(view.config().cooldownSeconds(), now);
    }

    /// Writes a block that was made from the stored one, and gives it as it is written.
    public Block update(Block stored, Block after) {
        var written = after.written();
        write(new UpdateBlock(stored, written));
        return written;
    }

    /// Writes a block in which less may be held than before. A block that is empty and has no owner is
    /// deleted.
    public void updateOrDrop(Block stored, Block after) {
        if (after.empty() && after.owner().isEmpty()) {
            write(new DropBlock(stored));
        } else {
            update(stored, after);
        }
    }

    public BlockRefusal damaged(Block block) {
        var faults = block.faults(now);
        return new BlockRefusal.Damaged(
                block.cidr(), faults.isEmpty() ? "it has the wrong number of allocations" : faults.getFirst());
    }

    public <O> Decision<BlockChange, O> decided(O outcome) {
        if (unsaid > 0) {
            because.add(new BlockReason.AndMore(unsaid));
        }
        return new Decision<>(outcome, changes, because, seams, Decision.Extent.WHOLE);
    }
}
