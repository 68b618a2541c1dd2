package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.CidrSetList;
import io.cadastre.engine.nodecidr.CidrSetList.Claim;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.DropPool;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.GiveBack;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Occupy;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Orphan;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.PutPool;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Sync;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Take;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteAllocated;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteStatus;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import io.cadastre.engine.nodecidr.multipool.MultiPoolOutcome.PoolRefused;
import io.cadastre.engine.nodecidr.multipool.MultiPoolView.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Gives nodes blocks of pools until what they need is met, the way Cilium's operator does in the mode multi-pool.
public final class MultiPoolEngine {

    private static final String ERROR = "ipam-multi-pool-sync allocation failed: ";

    private MultiPoolEngine() {}

    /// A pool is there, or has changed.
    public static Decision<MultiPoolChange, MultiPoolOutcome> upsertPool(MultiPoolView view, PodPoolSpec spec) {
        var existing = view.findPool(spec.name());
        var fault = existing.flatMap(pool -> changed(pool, spec));
        if (fault.isPresent()) {
            return refused(fault.get());
        }
        var lists = new ArrayList<CidrSetList>();
        for (var given : spec.families()) {
            var before = existing.flatMap(pool -> pool.find(given.family()));
            switch (before.map(list -> changed(list, given)).orElseGet(() -> fresh(given))) {
                case CidrSetList.Setup.Configured(var list) -> lists.add(list);
                case CidrSetList.Setup.Rejected(var error) -> {
                    return refused(new MultiPoolFault.BadCidrs(spec.name(), error));
                }
            }
        }
        var pool = new PodPool(spec.name(), lists, spec.allowFirst(), spec.allowLast());
        var changes = new ArrayList<MultiPoolChange>();
        var because = new ArrayList<Because>();
        changes.add(new PutPool(pool));
        for (var node : view.nodes()) {
            for (var block : view.held(node)) {
                if (block.pool().equals(spec.name())) {
                    account(view, pool, node, block, changes, because);
                }
            }
        }
        return new Decision<>(new MultiPoolOutcome.PoolStored(spec.name()), changes, because);
    }

    private static Optional<MultiPoolFault> changed(PodPool pool, PodPoolSpec spec) {
        for (var list : pool.lists()) {
            var given = spec.find(list.family());
            if (given.isPresent() && given.get().mask() != list.mask()) {
                return Optional.of(new MultiPoolFault.MaskChanged(spec.name(), list.family()));
            }
        }
        if (pool.allowFirst() != spec.allowFirst()) {
            return Optional.of(new MultiPoolFault.FlagChanged(spec.name(), "allowFirstIP"));
        }
        return pool.allowLast() != spec.allowLast()
                ? Optional.of(new MultiPoolFault.FlagChanged(spec.name(), "allowLastIP"))
                : Optional.empty();
    }

    private static CidrSetList.Setup fresh(PodPoolSpec.OfFamily given) {
        return CidrSetList.of(given.family(), given.cidrs(), given.mask());
    }

    /// Without the CIDRs that are gone, and with the new ones behind the others. The cursors of those that stay, stay.
    private static CidrSetList.Setup changed(CidrSetList before, PodPoolSpec.OfFamily given) {
        var wanted = new ArrayList<Prefix>();
        for (var text : given.cidrs()) {
            var cidr = SloppyText.parsePrefix(text);
            if (cidr.isEmpty()) {
                return new CidrSetList.Setup.Rejected("invalid CIDR address: " + text);
            }
            wanted.add(cidr.get());
        }
        var after = before;
        for (var cidr : before.cidrs()) {
            after = wanted.contains(cidr) ? after : after.without(cidr);
        }
        for (var cidr : wanted) {
            if (!after.cidrs().contains(cidr)) {
                var fault = after.fault(cidr);
                if (fault.isPresent()) {
                    return new CidrSetList.Setup.Rejected(fault.get());
                }
                after = after.with(cidr);
            }
        }
        return new CidrSetList.Setup.Configured(after);
    }

    /// Whether a block of a node counts now.
    private static void account(
            MultiPoolView view,
            PodPool pool,
            String node,
            PooledBlock block,
            List<MultiPoolChange> changes,
            List<Because> because) {
        var cidr = block.cidr();
        if (block.counted() && !pool.reaches(cidr)) {
            changes.add(new Orphan(node, pool.name(), cidr));
            because.add(new MultiPoolReason.StillInUse(node, cidr));
        } else if (!block.counted() && pool.reaches(cidr) && !view.isHeldByAnother(node, cidr)) {
            changes.add(new Occupy(node, pool.name(), cidr));
            because.add(new MultiPoolReason.CountedAgain(node, cidr));
        }
    }

    /// A pool is gone. Nodes keep what they have of it.
    public static Decision<MultiPoolChange, MultiPoolOutcome> deletePool(MultiPoolView view, String name) {
        if (view.findPool(name).isEmpty()) {
            return refused(new MultiPoolFault.NoSuchPool(name));
        }
        var changes = new ArrayList<MultiPoolChange>();
        var because = new ArrayList<Because>();
        changes.add(new DropPool(name));
        for (var node : view.nodes()) {
            for (var block : view.held(node)) {
                if (block.pool().equals(name) && block.counted()) {
                    changes.add(new Orphan(node, name, block.cidr()));
                    because.add(new MultiPoolReason.StillInUse(node, block.cidr()));
                }
            }
        }
        return new Decision<>(new MultiPoolOutcome.PoolDeleted(name), changes, because);
    }

    /// All nodes that there are have been seen; the caller looks at each of them again.
    public static Decision<MultiPoolChange, MultiPoolOutcome> sync() {
        return new Decision<>(new MultiPoolOutcome.Synced(), List.of(new Sync()), List.of());
    }

    /// A node is gone, and has nothing more, orphans neither.
    public static Decision<MultiPoolChange, MultiPoolOutcome> deleteNode(MultiPoolView view, String name) {
        var changes = view.held(name).stream()
                .<MultiPoolChange>map(block -> new GiveBack(name, block.pool(), block.cidr()))
                .toList();
        return new Decision<>(new MultiPoolOutcome.NodeDeleted(name), changes, List.of());
    }

    /// Notes what a node has, and gives it what it lacks.
    public static Decision<MultiPoolChange, MultiPoolOutcome> reconcile(MultiPoolView view, MultiPoolNode node) {
        var draft = new Reconciliation(view, node);
        draft.noteListed();
        draft.noteGivenUp();
        if (view.progress() == Progress.LISTING) {
            draft.because.add(new MultiPoolReason.NotAllKnown(node.name()));
            return new Decision<>(new MultiPoolOutcome.Noted(node.name()), draft.changes, draft.because);
        }
        draft.meetNeeds();
        draft.write();
        return new Decision<>(
                new MultiPoolOutcome.Reconciled(node.name(), draft.after.held(node.name()), draft.faults),
                draft.changes,
                draft.because);
    }

    /// One look at a node, as far as it has come.
    private static final class Reconciliation {

        private final MultiPoolNode node;
        private final List<MultiPoolChange> changes = new ArrayList<>();
        private final List<Because> because = new ArrayList<>();
        private final List<MultiPoolFault> faults = new ArrayList<>();
        private MultiPoolView after;

        Reconciliation(MultiPoolView view, MultiPoolNode node) {
            this.after = view;
            this.node = node;
        }

        private void change(MultiPoolChange change) {
            changes.add(change);
            after = after.with(change);
        }

        private Optional<PooledBlock> known(String pool, Prefix cidr) {
            return after.held(node.name()).stream()
                    .filter(block -> block.is(pool, cidr))
                    .findFirst();
        }

        void noteListed() {
            for (var entry : node.allocated()) {
                entry.cidrs().forEach(cidr -> noteListed(entry.pool(), cidr));
            }
        }

        private void noteListed(String poolName, Prefix cidr) {
            var known = known(poolName, cidr);
            if (known.isPresent() && known.get().counted()) {
                return;
            }
            var pool = after.findPool(poolName);
            if (pool.isEmpty()) {
                faults.add(new MultiPoolFault.PoolGone(poolName, cidr));
                keepAsOrphan(poolName, cidr);
            } else if (!pool.get().reaches(cidr)) {
                faults.add(new MultiPoolFault.NotOfPool(poolName, cidr));
                keepAsOrphan(poolName, cidr);
            } else if (after.isHeldByAnother(node.name(), cidr)) {
                // It leaves the node's list: an address has one holder.
                faults.add(refusal(pool.get(), cidr));
            } else {
                change(new Occupy(node.name(), poolName, cidr));
            }
        }

        private void keepAsOrphan(String pool, Prefix cidr) {
            if (known(pool, cidr).isEmpty() && !after.isHeldByAnother(node.name(), cidr)) {
                change(new Orphan(node.name(), pool, cidr));
            }
        }

        private static MultiPoolFault refusal(PodPool pool, Prefix cidr) {
            boolean full = pool.find(cidr.family())
                    .map(list -> list.claim(cidr))
                    .filter(Claim.Full.class::isInstance)
                    .isPresent();
            return full
                    ? new MultiPoolFault.PoolFull(pool.name())
                    : new MultiPoolFault.HeldByAnother(pool.name(), cidr);
        }

        /// What the node took off its list is free.
        void noteGivenUp() {
            for (var block : after.held(node.name())) {
                boolean listed = node.allocated().stream()
                        .anyMatch(entry -> entry.pool().equals(block.pool())
                                && entry.cidrs().contains(block.cidr()));
                if (!listed) {
                    change(new GiveBack(node.name(), block.pool(), block.cidr()));
                    because.add(new MultiPoolReason.GivenUp(block.pool(), block.cidr()));
                }
            }
        }

        void meetNeeds() {
            for (var need : node.needs()) {
                if (after.findPool(need.pool()).isEmpty()) {
                    faults.add(new MultiPoolFault.NotExisting(need.pool()));
                    continue;
                }
                for (var family : Family.values()) {
                    if (need.of(family) > 0) {
                        meet(need.pool(), family, need.of(family));
                    }
                }
            }
        }

        private void meet(String poolName, Family family, long needed) {
            long usable = usable(poolName, family);
            if (usable >= needed) {
                because.add(new MultiPoolReason.Sufficient(poolName, usable, needed));
                return;
            }
            long deficit = needed - usable;
            // Ends: each round takes a block, and a pool has a limited number of them.
            while (deficit > 0) {
                var pool = after.findPool(poolName).orElseThrow();
                var next = pool.find(family).flatMap(CidrSetList::next);
                if (next.isEmpty()) {
                    faults.add(new MultiPoolFault.PoolEmpty(node.name(), poolName, family));
                    return;
                }
                var block = next.get().block();
                because.add(new MultiPoolReason.Chose(poolName, block, deficit));
                change(new Take(node.name(), poolName, block));
                deficit -= pool.usable(block);
            }
        }

        private long usable(String poolName, Family family) {
            var pool = after.findPool(poolName).orElseThrow();
            long usable = 0;
            for (var block : after.held(node.name())) {
                if (block.counted()
                        && block.pool().equals(poolName)
                        && block.cidr().family() == family) {
                    long more = pool.usable(block.cidr());
                    usable = more > Long.MAX_VALUE - usable ? Long.MAX_VALUE : usable + more;
                }
            }
            return usable;
        }

        void write() {
            var entries = entries();
            if (!entries.equals(node.allocated())) {
                changes.add(new WriteAllocated(node.name(), entries));
            }
            var error = faults.isEmpty()
                    ? ""
                    : ERROR + faults.stream().map(MultiPoolFault::sentence).collect(Collectors.joining("\n"));
            if (!error.equals(node.error())) {
                changes.add(new WriteStatus(node.name(), error));
            }
        }

        /// By the names of pools, IPv4 first.
        private List<Entry> entries() {
            var byPool = new TreeMap<String, List<Prefix>>();
            for (var block : after.held(node.name())) {
                byPool.computeIfAbsent(block.pool(), _ -> new ArrayList<>()).add(block.cidr());
            }
            return byPool.entrySet().stream()
                    .map(pool -> entry(pool.getKey(), pool.getValue()))
                    .toList();
        }

        /// The flags of a pool that is gone are as they were listed.
        private Entry entry(String pool, List<Prefix> cidrs) {
            var listed = node.allocated().stream()
                    .filter(entry -> entry.pool().equals(pool))
                    .findFirst();
            return after.findPool(pool)
                    .map(known -> new Entry(pool, known.allowFirst(), known.allowLast(), cidrs))
                    .orElseGet(() -> new Entry(
                            pool,
                            listed.map(Entry::allowFirst).orElse(false),
                            listed.map(Entry::allowLast).orElse(false),
                            cidrs));
        }
    }

    private static Decision<MultiPoolChange, MultiPoolOutcome> refused(MultiPoolFault fault) {
        return new Decision<>(new PoolRefused(fault), List.of(), List.of());
    }
}
