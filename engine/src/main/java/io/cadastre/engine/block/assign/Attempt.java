package io.cadastre.engine.block.assign;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockChange.CreateBlock;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockReason.AttemptBarred;
import io.cadastre.engine.block.BlockReason.GivenBefore;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// An earlier decision about the same request whose commit was not answered. It may have been applied,
/// in part where a store applies writes one by one, and it may yet be. Or a part of one that was saved,
/// since the whole was too much for one commit: then there is nothing to doubt.
///
/// **What was applied is recognised, before anything else is decided.** An address is the request's own
/// if it is held by the request's handle and attributes and was given at the very number that the
/// attempt would have given it at. A number is used once in the life of a block, and a faster rival
/// used it for its own assignment; so the number distinguishes the attempts, and the attributes say
/// whose attempt it was. Nothing else in Calico's documents could: to Calico, two callers with the same
/// handle and the same attributes are the same holder. A caller that must distinguish them sets the
/// attribute `timestamp`, as Calico's own plugin does. A request without a handle does not recognise
/// anything, since all requests without a handle look the same; it may leave an address behind, which
/// is found like any other leak.
///
/// **What was not applied is barred**, so that it cannot arrive later, when the request has got
/// something else or was refused. As long as a block has not got beyond the number of the attempt, the
/// decision writes it, even if only its number changes: then either the attempt comes too late, or it
/// came first and this decision comes too late, and is made again. If a block without an owner is
/// empty, it is deleted instead, since nothing else would look for it. A block that the attempt would
/// create cannot be written, and one that another host has created in its place may be deleted again
/// before the attempt arrives; so the handle is written too. Only if there is no handle, and nothing is
/// given this time, the attempt cannot be barred.
///
/// @param <O> what kind of outcome it had
/// @param changes what it would write, or has written
public record Attempt<O>(O outcome, List<Grant> grants, List<BlockChange> changes, Decision.Extent extent) {

    public Attempt {
        grants = List.copyOf(grants);
        changes = List.copyOf(changes);
    }

    /// Whether it was saved, as far as it goes.
    boolean saved() {
        return extent == Decision.Extent.SAVED_PART;
    }

    /// An address that the decision would have given.
    ///
    /// @param seen the block that the write was to replace
    /// @param created whether the decision would have created the block. Another request of the same commit
    ///     may have dropped the one before, whose number may be higher; the commit then replaces that one.
    public record Grant(AssignedAddress lease, Block seen, boolean created) {

        /// Whether the view shows that it was given.
        boolean applied(BlockView view, Requester requester) {
            return requester.hasHandle()
                    && view.findBlock(lease.network())
                            .filter(block -> appliedIn(block, requester))
                            .isPresent();
        }

        private boolean appliedIn(Block block, Requester requester) {
            int ordinal = block.ordinal(lease.address()).orElseThrow();
            return !block.damaged()
                    && block.sequenceOf(ordinal) == seen.sequence()
                    && block.attribute(ordinal)
                            .filter(requester.attribute()::equals)
                            .isPresent();
        }

        /// Whether a block in this state may yet become what the attempt would make of it. A number tells
        /// only while the block is the one that the decision saw: the request before it in the same commit
        /// may have created the block anew, in the place of one whose number was higher.
        private boolean mayCome(Block block) {
            boolean same = !created
                    && block.owner().equals(seen.owner())
                    && block.claimedAt().equals(seen.claimedAt());
            return !same || Long.compareUnsigned(block.sequence(), seen.sequence()) <= 0;
        }
    }

    public static <O> Attempt<O> of(Decision<BlockChange, O> decision) {
        var grants = new ArrayList<Grant>();
        var created = new TreeSet<Prefix>();
        for (var change : decision.changes()) {
            if (change instanceof CreateBlock(var after)) {
                created.add(after.cidr());
            }
            if (change instanceof UpdateBlock(var seen, var after)) {
                for (int ordinal = 0; ordinal < after.size(); ordinal++) {
                    boolean given = after.attribute(ordinal).orElse(null) instanceof Held
                            && !(seen.attribute(ordinal).orElse(null) instanceof Held);
                    if (given) {
                        var lease = new AssignedAddress(after.address(ordinal), after.cidr());
                        grants.add(new Grant(lease, seen, created.contains(after.cidr())));
                    }
                }
            }
        }
        return new Attempt<>(decision.outcome(), grants, decision.changes(), decision.extent());
    }

    /// The outcome of the attempt by which the request was served, if it was. The others are barred.
    public static <O> Optional<O> served(Draft draft, List<Attempt<O>> attempts, Requester requester) {
        var view = draft.view();
        for (var attempt : attempts.reversed()) {
            if (attempt.servedIn(view, requester)) {
                attempt.grants.forEach(grant -> draft.explain(new GivenBefore(grant.lease)));
                var others = attempts.stream()
                        .filter(other -> !other.servedIn(view, requester))
                        .toList();
                bar(draft, view, others, requester);
                return Optional.of(attempt.outcome);
            }
        }
        return Optional.empty();
    }

    private boolean servedIn(BlockView view, Requester requester) {
        return !saved() && !grants.isEmpty() && grants.stream().allMatch(it -> it.applied(view, requester));
    }

    /// Makes sure that what was not applied never will be. What a part that was saved since has written is
    /// barred already; to write it again with each part would have no end.
    ///
    /// @param before what the decision rests on
    public static <O> void bar(Draft draft, BlockView before, List<Attempt<O>> attempts, Requester requester) {
        for (int index = 0; index < attempts.size(); index++) {
            var attempt = attempts.get(index);
            if (attempt.saved()) {
                continue;
            }
            var since = attempts.subList(index + 1, attempts.size()).stream()
                    .filter(Attempt::saved)
                    .flatMap(part -> part.changes.stream())
                    .toList();
            for (var grant : attempt.grants) {
                var cidr = grant.lease.network();
                var block = before.findBlock(cidr);
                if (draft.writesBlock(cidr)) {
                    continue;
                }
                if (!Draft.writesHandle(since, requester.handle())) {
                    barHandle(draft, requester);
                }
                if (block.isPresent()
                        && !block.get().damaged()
                        && grant.mayCome(block.get())
                        && !Draft.writesBlock(since, cidr)) {
                    draft.updateOrDrop(block.get(), draft.normalised(block.get()));
                    draft.explain(new AttemptBarred("block " + cidr));
                    draft.seam();
                }
            }
        }
    }

    private static void barHandle(Draft draft, Requester requester) {
        if (requester.hasHandle() && !draft.writesHandle(requester.handle())) {
            draft.view().findHandle(requester.handle()).ifPresent(handle -> {
                draft.write(new PutHandle(handle));
                draft.explain(new AttemptBarred("handle " + handle.id()));
            });
        }
    }
}
