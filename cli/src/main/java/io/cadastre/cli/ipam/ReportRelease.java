package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.Concurrently;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.CalicoVersion;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Takes back what every one of some reports lists as unused.
///
/// An address is released only if it is still held by the handle of the last report and was given at its
/// sequence number, so an outdated report takes nothing from a new holder. A handle is dropped only if it
/// was not written since, and if it still has no address.
record ReportRelease(CalicoSession ipam, CommandContext context, List<InspectionReport> reports, Caution caution) {

    /// At most this many addresses are released in one commit: each may need a write of a block and of a
    /// handle.
    private static final int BATCH_MAX = 50;

    /// Whether rules that can be overridden are.
    enum Caution {
        CAREFUL,
        FORCED
    }

    void run() {
        checkReports(ClusterFacts.fetch(ipam.session().datastore()));
        releaseAddresses(leaks());
        dropHandles(handles());
        say("You may now unlock the data store.");
    }

    private void checkReports(ClusterFacts cluster) {
        var version = CalicoVersion.of(context.environment());
        for (var report : reports) {
            if (!report.text("clusterGUID").equals(cluster.guid())) {
                throw new CommandRefusedException(
                        "cluster does not match the provided report (%s): mismatched cluster GUID. Refusing to release"
                                .formatted(report.file()));
            }
            if (!report.text("version").equals(version.text())) {
                insist(
                        "the provided report (%s) was produced using a different version (%s) of calicoctl. Refusing to release"
                                .formatted(report.file(), report.text("version")),
                        "Report was produced using a different version of calicoctl.");
            }
        }
        if (reports.stream()
                .noneMatch(report -> report.text("clusterInformationRevision").equals(cluster.revision()))) {
            throw new CommandRefusedException(
                    "the provided reports are all stale - at least one should be up-to-date. Please"
                            + " generate a new report while the data store is locked and try"
                            + " again");
        }
        if (!cluster.locked()) {
            insist(
                    "data store is not locked. Either lock the data store, or re-run with --force",
                    "Data store is not locked.");
        }
    }

    private void insist(String refusal, String warning) {
        if (caution == Caution.CAREFUL) {
            throw new CommandRefusedException(refusal);
        }
        say("WARNING: %s Ignoring due to --force option".formatted(warning));
    }

    // ---- addresses ----

    private List<ReleaseOption> leaks() {
        var common = new LinkedHashMap<String, ReleaseOption>();
        for (var option : reports.getLast().leaks()) {
            common.put(option.address(), option);
        }
        for (var report : reports) {
            common.keySet()
                    .retainAll(
                            report.leaks().stream().map(ReleaseOption::address).collect(Collectors.toSet()));
        }
        return List.copyOf(common.values());
    }

    private void releaseAddresses(List<ReleaseOption> options) {
        if (options.isEmpty()) {
            say("Report didn't contain any leaked IPs to clean up.");
            return;
        }
        say("Releasing %d old IPs...".formatted(options.size()));
        int released = 0;
        int gone = 0;
        for (int from = 0; from < options.size(); from += BATCH_MAX) {
            var batch = options.subList(from, Math.min(from + BATCH_MAX, options.size()));
            var release = ipam.blocks().enact(AddressRelease.of("ipam release by report", batch, ipam.now()));
            released += release.released().size() - release.unallocated().size();
            gone += release.unallocated().size();
            if (release instanceof Release.Stopped(var _, var _, var refusal)) {
                context.err()
                        .println(
                                "An error occurred while releasing some IPs: %s.  Problems are often caused by an out-of-date IPAM report.  Try regenerating the IPAM report and retry."
                                        .formatted(refusal.sentence()));
            }
        }
        if (released > 0) {
            say("Released %d IPs successfully".formatted(released));
        }
        if (gone > 0) {
            say("%d addresses marked as leaked in the report had already been cleaned up.".formatted(gone));
        }
    }

    // ---- handles ----

    private Map<String, String> handles() {
        var common = new TreeMap<String, String>();
        for (var handle : reports.getLast().leakedHandles()) {
            common.put(handle.id(), handle.revision());
        }
        for (var report : reports) {
            Set<InspectionReport.LeakedHandle> leaked = Set.copyOf(report.leakedHandles());
            common.entrySet()
                    .removeIf(entry ->
                            !leaked.contains(new InspectionReport.LeakedHandle(entry.getKey(), entry.getValue())));
        }
        return common;
    }

    /// What came of one handle.
    private enum HandleDrop {
        DROPPED,
        SKIPPED
    }

    private void dropHandles(Map<String, String> handles) {
        if (handles.isEmpty()) {
            say("Report didn't contain any handles to clean up.");
            return;
        }
        say("Deleting %d handles...".formatted(handles.size()));
        say("Key: '.' = Deleted OK; 'x' = skip, handle missing/changed.");
        var found = ipam.session()
                .datastore()
                .getAll(handles.keySet().stream().map(ReportRelease::key).toList());
        var drops = new ArrayList<HandleDrop>();
        Concurrently.run(
                List.copyOf(handles.entrySet()),
                leak -> drop(leak.getKey(), Optional.ofNullable(found.get(key(leak.getKey()))), leak.getValue()),
                (_, drop) -> {
                    drops.add(drop);
                    context.out().print(drop == HandleDrop.DROPPED ? "." : "x");
                });
        say("");
        long dropped = drops.stream().filter(HandleDrop.DROPPED::equals).count();
        say("Released %d handles; %d skipped; 0 errors.".formatted(dropped, drops.size() - dropped));
    }

    private static String key(String handle) {
        return new CalicoKey.OfHandle(handle).text();
    }

    private HandleDrop drop(String id, Optional<Document> found, String revision) {
        boolean unchanged = found.filter(
                        document -> Long.toString(document.revision()).equals(revision))
                .isPresent();
        return unchanged
                ? ipam.blocks().enact(new Request<>("ipam release by report: handle " + id, view -> drop(view, id)))
                : HandleDrop.SKIPPED;
    }

    private static Decision<BlockChange, HandleDrop> drop(BlockView view, String id) {
        boolean useless =
                BlockQueries.addressesOf(view, id).filter(List::isEmpty).isPresent();
        return useless
                ? new Decision<>(HandleDrop.DROPPED, List.of(new BlockChange.DropHandle(id)), List.of())
                : new Decision<>(HandleDrop.SKIPPED, List.of(), List.of());
    }

    private void say(String line) {
        context.out().println(line);
    }
}
