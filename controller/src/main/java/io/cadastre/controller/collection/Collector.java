package io.cadastre.controller.collection;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.collect.BlockCollector;
import io.cadastre.engine.block.collect.CollectorSettings;
import io.cadastre.engine.block.collect.Leak;
import io.cadastre.engine.block.collect.LeakRelease;
import io.cadastre.engine.block.collect.LeakTracker;
import io.cadastre.engine.block.collect.SweepPlan;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceView;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks at a cluster and takes back what the rules allow, during one leader term. Used by one thread.
///
/// It concludes from what the watches reported, which may be late. So before anything is taken back, the
/// pods and nodes it depends on are read once more from the store, and the rules decide again, on documents
/// that were read for it.
final class Collector {

    /// A host with more blocks gives them up one after another: all at once would not fit into a commit.
    private static final int BLOCKS_AT_ONCE_MAX = 32;

    /// How many addresses a report names.
    private static final int NAMED_MAX = 8;

    private final ControllerContext context;
    private final ClusterSource source;
    private final Registrar<BlockView, BlockChange> blocks;
    private final Registrar<ResourceView, DocumentChange> resources;
    private final Reclamations reclamations = new Reclamations();
    private final BlockUsage usage = new BlockUsage();
    private LeakTracker tracker = LeakTracker.NOTHING_SEEN;

    /// @param context with a store that refuses commits once the term is over
    Collector(ControllerContext context, ClusterSource source) {
        this.context = context;
        this.source = source;
        this.blocks = context.registrar(new CalicoBook(context.store(), context.clock()));
        this.resources = context.registrar(new ResourceBook(context.store()));
    }

    /// Whether anything is left that ought to have been taken back.
    enum Outcome {
        SETTLED,
        UNFINISHED
    }

    /// One look at a cluster, and what follows from it.
    ///
    /// @throws LeadershipLostException if the term ended meanwhile
    Outcome collect(ClusterSnapshot snapshot, BlockCollector.Scope scope, Duration grace) {
        boolean blocksOnly = source == ClusterSource.CALICO_ALONE;
        if (!snapshot.ready() || !(snapshot.inhabited() || blocksOnly)) {
            return Outcome.SETTLED;
        }
        var plan = BlockCollector.plan(
                snapshot.view(),
                snapshot.liveOwners(),
                tracker,
                new CollectorSettings(grace, CollectorSettings.Store.READY),
                scope,
                context.now());
        if (blocksOnly) {
            plan = plan.aboutEmptyBlocks();
        }
        tracker = plan.tracker();
        boolean settled = plan.incomplete().isEmpty();
        settled &= act(snapshot, plan);
        if (!blocksOnly) {
            settled &= removeNodes(snapshot);
        }
        return settled ? Outcome.SETTLED : Outcome.UNFINISHED;
    }

    private boolean act(ClusterSnapshot snapshot, SweepPlan plan) {
        var confirmed = new Confirmation(context.store());
        boolean settled = releaseLeaks(snapshot, plan.leaks(), confirmed);
        for (var cidr : plan.coldBlocks()) {
            settled &= attempt("thaw " + cidr, () -> thaw(cidr));
        }
        for (var cidr : plan.unusedBlocks()) {
            settled &= attempt("give up " + cidr, () -> giveUpUnused(cidr));
        }
        for (var host : plan.deadNodes()) {
            settled &= attempt("clean " + host, () -> confirmed.gone(host) && clean(snapshot, host));
        }
        return settled;
    }

    /// One step, which returns whether it was done.
    @FunctionalInterface
    private interface Step {
        boolean done();
    }

    /// A failure is one of this step alone; the others go on, and this one is tried again. Not so if the
    /// term is over.
    private boolean attempt(String words, Step step) {
        try {
            return step.done();
        } catch (LeadershipLostException deposed) {
            throw deposed;
        } catch (UnsettledException
                | UnrecordedException
                | DatastoreException
                | UnparsableEntryException
                | UnreadableDocumentException failed) {
            if (failed.getCause() instanceof LeadershipLostException deposed) {
                throw deposed;
            }
            context.reports().accept("cannot %s: %s".formatted(words, failed.getMessage()));
            return false;
        }
    }

    private <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
        return enact(words, (view, _) -> law.apply(view));
    }

    private <O> O enact(String words, Request.Law<BlockView, BlockChange, O> law) {
        return blocks.enact(new Request<>("controller: " + words, law));
    }

    // ---- leaks ----

    private boolean releaseLeaks(ClusterSnapshot snapshot, List<Leak> leaks, Confirmation confirmed) {
        boolean settled = true;
        var doubtful = new HashSet<String>();
        for (var leak : leaks) {
            boolean sure = leak.origin() == Leak.Origin.POD_GONE
                    || attempt("look for node " + leak.node(), () -> confirmed.gone(leak.node()));
            if (!sure) {
                settled = false;
                doubtful.add(leak.allocation().handle());
            }
        }
        var sure = leaks.stream()
                .filter(leak -> !doubtful.contains(leak.allocation().handle()))
                .toList();
        var batches = LeakBatches.of(sure);
        settled &= batches.stream().mapToInt(List::size).sum() == sure.size();
        for (var batch : batches) {
            settled &= attempt("release leaks", () -> releaseTogether(snapshot, batch));
        }
        return settled;
    }

    /// A document that cannot be read keeps nothing from being released but what depends on it.
    private boolean releaseTogether(ClusterSnapshot snapshot, List<Leak> leaks) {
        try {
            return release(snapshot, leaks);
        } catch (UnparsableEntryException unreadable) {
            var byHandle = leaks.stream()
                    .collect(Collectors.groupingBy(
                            leak -> leak.allocation().handle(), TreeMap::new, Collectors.toList()));
            if (byHandle.size() == 1) {
                throw unreadable;
            }
            boolean settled = true;
            for (var ofHandle : byHandle.values()) {
                settled &= attempt("release leaks", () -> release(snapshot, ofHandle));
            }
            return settled;
        }
    }

    private boolean release(ClusterSnapshot snapshot, List<Leak> leaks) {
        var live = LivePods.fetch(
                context.store(),
                LivePods.users(snapshot.view(), leaks),
                snapshot.liveOwners().pods().size(),
                source);
        var now = context.now();
        LeakRelease release = enact(
                "release " + named(leaks),
                (view, earlier) -> BlockEngine.releaseLeaks(
                        view, leaks, live.liveOwners(view, leaks), Attempts.after(earlier, now)));
        reclamations.count(release.released(), snapshot.view().pools());
        if (!release.released().isEmpty()) {
            context.reports().accept("released " + named(release.released()));
        }
        return release.alive().isEmpty();
    }

    private static String named(Collection<Leak> leaks) {
        var first = leaks.stream()
                .limit(NAMED_MAX)
                .map(leak -> leak.allocation().address().toString())
                .collect(Collectors.joining(", "));
        return leaks.size() <= NAMED_MAX
                ? "leaked " + first
                : "leaked %s and %d more".formatted(first, leaks.size() - NAMED_MAX);
    }

    // ---- blocks and nodes ----

    private boolean thaw(Prefix cidr) {
        var now = context.now();
        enact("thaw " + cidr, view -> BlockEngine.thaw(view, cidr, now));
        return true;
    }

    private boolean giveUpUnused(Prefix cidr) {
        var now = context.now();
        var release = enact("give up unused " + cidr, view -> BlockEngine.giveUpUnused(view, cidr, now));
        report(release);
        return true;
    }

    private boolean clean(ClusterSnapshot snapshot, String host) {
        var now = context.now();
        var own = snapshot.view().affinities().stream()
                .filter(affinity -> affinity.owner().equals(Owner.host(host)))
                .toList();
        if (own.size() > BLOCKS_AT_ONCE_MAX) {
            for (var affinity : own.subList(BLOCKS_AT_ONCE_MAX, own.size())) {
                var cidr = affinity.cidr();
                report(enact(
                        "clean %s, block %s".formatted(host, cidr),
                        view -> BlockEngine.cleanBlock(view, host, cidr, now)));
            }
        }
        AffinityRelease release = enact(
                "clean " + host, (view, earlier) -> BlockEngine.cleanNode(view, host, Attempts.after(earlier, now)));
        report(release);
        if (release instanceof AffinityRelease.Stopped(var _, var refusal)) {
            context.reports().accept("node %s keeps a block: %s".formatted(host, refusal.sentence()));
            return false;
        }
        return true;
    }

    private void report(AffinityRelease release) {
        for (var cidr : release.released()) {
            context.reports().accept("released block " + cidr);
        }
    }

    /// Removes Calico's record of nodes that Kubernetes no longer has, once nothing is theirs. Where the
    /// two are one object there are none.
    private boolean removeNodes(ClusterSnapshot snapshot) {
        var gone = new TreeSet<String>();
        snapshot.nodes().forEach((name, kubernetesName) -> {
            if (!kubernetesName.isEmpty()
                    && !snapshot.liveOwners().kubernetesNodes().contains(kubernetesName)) {
                gone.add(name);
            }
        });
        if (gone.isEmpty()) {
            return true;
        }
        gone.removeAll(mentioned(snapshot));
        boolean settled = true;
        var confirmed = new Confirmation(context.store());
        for (var name : gone) {
            settled &= attempt("remove node " + name, () -> confirmed.gone(name) && removeNode(name));
        }
        return settled;
    }

    private static Collection<String> mentioned(ClusterSnapshot snapshot) {
        var hosts = new TreeSet<String>();
        for (var family : Family.values()) {
            snapshot.view().blocks(family).forEach(block -> hosts.addAll(CalicoState.hosts(Optional.of(block))));
        }
        for (var affinity : snapshot.view().affinities()) {
            hosts.add(affinity.owner().name());
        }
        return hosts;
    }

    private boolean removeNode(String name) {
        var now = context.now();
        var release = enact("forget host " + name, view -> BlockEngine.forgetNode(view, name, now));
        if (release instanceof AffinityRelease.Stopped) {
            return false;
        }
        resources.enact(new Request<>(
                "controller: remove node/" + name, view -> Resources.remove(view, CalicoKinds.NODE, name)));
        context.reports().accept("removed node " + name);
        return true;
    }

    // ---- what others want to know ----

    /// When the first of what is suspected now will have been so for the grace; empty if nothing is.
    Optional<Instant> nextDue(Duration grace) {
        if (grace.isZero()) {
            return Optional.empty();
        }
        var now = context.now();
        return Stream.concat(
                        tracker.suspicions().values().stream().map(LeakTracker.Suspicion::since),
                        tracker.emptySince().values().stream())
                .map(since -> since.plus(grace))
                .filter(due -> !due.isBefore(now))
                .min(Instant::compareTo);
    }

    List<Metric> figures(ClusterSnapshot snapshot) {
        var pools = snapshot.view().pools().stream().map(pool -> pool.name()).toList();
        reclamations.keep(new HashSet<>(pools), snapshot.nodes().keySet());
        return CollectionMetrics.of(snapshot, tracker, reclamations.counts(), usage);
    }
}
