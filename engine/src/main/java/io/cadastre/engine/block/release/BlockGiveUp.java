package io.cadastre.engine.block.release;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange.DropAffinity;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockReason.GaveUp;
import io.cadastre.engine.block.BlockReason.GiveUpRule;
import io.cadastre.engine.block.BlockReason.Kept;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.PoolSelection;
import java.util.Optional;

/// How an owner loses a block: first the affinity says so, then the block is deleted or loses its
/// owner, then the affinity is deleted. An owner that wants the block back in between changes the
/// affinity, and keeps it.
public final class BlockGiveUp {

    private BlockGiveUp() {}

    /// Takes the block from its owner, or returns why not.
    public static Optional<BlockRefusal> of(
            Draft draft, Owner owner, Prefix cidr, ReleaseCondition condition, GiveUpRule rule) {
        if (owner.name().isEmpty()) {
            return Optional.of(new BlockRefusal.Because("Hostname must be specified to release block affinity"));
        }
        var affinity = draft.view().findAffinity(owner, cidr);
        var found = draft.view().findBlock(cidr);
        if (affinity.isEmpty()
                && found.flatMap(Block::owner).filter(owner::equals).isEmpty()) {
            return Optional.of(BlockRefusal.NotThere.affinity(owner, cidr));
        }
        if (found.isEmpty()) {
            // Calico leaves the affinity behind, for good if the host is gone.
            dropAffinity(draft, owner, cidr, GiveUpRule.NO_BLOCK);
            return Optional.empty();
        }
        var stored = found.get();
        if (stored.owner().filter(other -> !other.equals(owner)).isPresent()) {
            dropAffinity(draft, owner, cidr, GiveUpRule.STALE);
            return Optional.of(new BlockRefusal.ClaimConflict(cidr, ownerWords(stored)));
        }
        if (stored.damaged()) {
            return Optional.of(draft.damaged(stored));
        }
        var block = draft.normalised(stored);
        if (condition == ReleaseCondition.REQUIRED && !block.empty()) {
            return Optional.of(new BlockRefusal.BlockNotEmpty(cidr));
        }
        affinity.ifPresent(held -> draft.write(new PutAffinity(held.in(Affinity.State.PENDING_DELETION))));
        if (block.empty()) {
            draft.write(new DropBlock(stored));
        } else {
            draft.update(stored, block.disowned());
        }
        if (affinity.isPresent()) {
            dropAffinity(draft, owner, cidr, rule);
        } else {
            // The owner gave up the announced block while the block was still being written to a store
            // that applies writes one by one.
            draft.explain(new GaveUp(cidr, owner.toString(), GiveUpRule.NO_AFFINITY));
        }
        draft.seam();
        return Optional.empty();
    }

    /// Gives up an empty block whose owner's node exists and is no longer selected by the block's pool.
    static void ifDeselected(Draft draft, Block block) {
        var owner = block.owner().filter(candidate -> candidate.kind() == Owner.Kind.HOST);
        var pool = PoolSelection.enabledAround(draft.view(), block.cidr().first());
        if (owner.isEmpty() || pool.isEmpty()) {
            return;
        }
        draft.view()
                .findNode(owner.get().name())
                .filter(node -> pool.get().deselects(node.labels()))
                .ifPresent(_ -> giveUpDeselected(draft, owner.get(), block.cidr()));
    }

    public static void giveUpDeselected(Draft draft, Owner owner, Prefix cidr) {
        of(draft, owner, cidr, ReleaseCondition.REQUIRED, GiveUpRule.POOL_DESELECTS_NODE)
                .ifPresent(refusal -> draft.explain(new Kept(cidr, refusal.sentence())));
    }

    public static void dropAffinity(Draft draft, Owner owner, Prefix cidr, GiveUpRule rule) {
        draft.write(new DropAffinity(owner, cidr));
        draft.explain(new GaveUp(cidr, owner.toString(), rule));
        draft.seam();
    }

    public static String ownerWords(Block block) {
        return block.owner().map(Owner::toString).orElse("");
    }
}
