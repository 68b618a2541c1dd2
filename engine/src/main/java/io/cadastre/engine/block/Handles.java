package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockReason.HandleMended;
import io.cadastre.engine.block.BlockReason.HandleOff;
import java.util.ArrayList;
import java.util.List;

/// How handles are kept in step with blocks: counted up before a block gives, counted down after it
/// took back. A stop in between leaves a handle that counts too many.
public final class Handles {

    private Handles() {}

    /// What the handle holds according to the blocks it names.
    public static List<Address> addresses(BlockView view, Handle handle, String id) {
        var addresses = new ArrayList<Address>();
        for (var cidr : handle.counts().keySet()) {
            view.findBlock(cidr)
                    .filter(block -> !block.damaged())
                    .ifPresent(block -> addresses.addAll(block.addressesOf(id)));
        }
        return addresses;
    }

    public static List<Address> addresses(BlockView view, Handle handle, String id, Family family) {
        return addresses(view, handle, id).stream()
                .filter(address -> address.family() == family)
                .toList();
    }

    /// Counts addresses that a block is about to give.
    public static void increment(Draft draft, String id, Prefix block, int count) {
        var handle = draft.view().findHandle(id).orElseGet(() -> Handle.empty(id));
        put(draft, handle.withCount(block, handle.count(block) + count));
    }

    /// Counts addresses that a block is about to give, on behalf of a request that may have counted
    /// them before.
    public static void incrementOnce(Draft draft, String id, Block block, int count) {
        var handle = draft.view().findHandle(id).orElseGet(() -> Handle.empty(id));
        int needed = block.ordinalsOf(id).length + count;
        // It is written even if its count is sufficient, so that it is noticed when it no longer is.
        put(draft, handle.withCount(block.cidr(), Math.max(handle.count(block.cidr()), needed)));
    }

    /// Counts addresses that a block took back. If the handle does not know of them, that is noted and
    /// nothing else.
    public static void decrement(Draft draft, String id, Prefix block, int count) {
        var found = draft.view().findHandle(id);
        if (found.isEmpty()) {
            return;
        }
        int counted = found.get().count(block);
        var tried = "Tried to decrement block %s by %d but it".formatted(block, count);
        if (counted == 0) {
            draft.explain(new HandleOff("%s isn't linked to handle %s".formatted(tried, id)));
        } else if (counted < count) {
            draft.explain(new HandleOff("%s only has %d addresses on handle %s".formatted(tried, counted, id)));
        } else {
            put(draft, found.get().withCount(block, counted - count));
        }
    }

    /// Makes the handle count what it holds in each block that it names.
    ///
    /// It may count too many because a process was interrupted, or because a process is about to assign
    /// the address. The latter has read the block before it counted; so the block is rewritten first,
    /// and that process fails and reads again.
    public static void mend(Draft draft, Handle handle, String id) {
        for (var cidr : handle.counts().keySet()) {
            draft.view().findHandle(id).ifPresent(current -> mendIn(draft, current, id, cidr));
        }
    }

    /// As [#mend(Draft, Handle, String)], of one block.
    public static void mendIn(Draft draft, Handle handle, String id, Prefix cidr) {
        var block = draft.view().findBlock(cidr);
        if (block.filter(Block::damaged).isPresent()) {
            return;
        }
        int counted = handle.count(cidr);
        int held = block.map(b -> b.countIgnoringCase(id)).orElse(0);
        if (held < counted) {
            block.ifPresent(stored -> draft.updateOrDrop(stored, draft.normalised(stored)));
            put(draft, handle.withCount(cidr, held));
            draft.explain(new HandleMended(id, cidr, counted, held));
            draft.seam();
        }
    }

    public static void put(Draft draft, Handle handle) {
        draft.write(handle.isEmpty() ? new DropHandle(handle.id()) : new PutHandle(handle));
    }
}
