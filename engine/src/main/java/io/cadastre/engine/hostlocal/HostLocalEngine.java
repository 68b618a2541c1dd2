package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.hostlocal.HostLocalChange.Delete;
import io.cadastre.engine.hostlocal.HostLocalReason.HoldsNothing;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesContainer;
import io.cadastre.engine.hostlocal.HostLocalReason.NamesNoValidAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason.SetIsFull;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/// Gives each attachment of a node one address of each range set, the way host-local does.
public final class HostLocalEngine {

    private HostLocalEngine() {}

    /// Gives an attachment an address of each set, of all or of none.
    public static Decision<HostLocalChange, HostLocalAllocation> allocate(
            HostLocalView view, HostLocalRequest request) {
        return new HostLocalAllocator(view, request).decide();
    }

    /// Takes back what an attachment holds.
    public static Decision<HostLocalChange, HostLocalRelease> release(
            HostLocalView view, HostLocalAttachment attachment) {
        var because = new ArrayList<Because>();
        return delete(named(view, attachment, because), because);
    }

    /// Takes back what one request was given, and nothing that the attachment held before.
    public static Decision<HostLocalChange, HostLocalRelease> withdraw(
            HostLocalView view, HostLocalAttachment attachment, Collection<LeasedAddress> leases) {
        NavigableSet<Address> given = new TreeSet<>();
        leases.forEach(lease -> given.add(lease.address()));
        var entries = find(
                view,
                entry -> entry.names(attachment)
                        && entry.reserves()
                        && entry.address().filter(given::contains).isPresent());
        return delete(entries, reasons(entries, NamesAttachment::new));
    }

    /// Checks whether an attachment holds anything.
    public static Decision<HostLocalChange, Presence> check(HostLocalView view, HostLocalAttachment attachment) {
        var because = new ArrayList<Because>();
        var found = named(view, attachment, because);
        return new Decision<>(
                found.isEmpty() ? new Presence.Missing(attachment) : new Presence.Found(found), List.of(), because);
    }

    /// Takes back every address that is held by none of the valid attachments. What is not called by an
    /// address, or lies deeper, was not written by any plugin and stays.
    public static Decision<HostLocalChange, HostLocalRelease> collect(
            HostLocalView view, Collection<HostLocalAttachment> valid) {
        NavigableSet<String> attachments = new TreeSet<>();
        NavigableSet<String> containers = new TreeSet<>();
        for (var attachment : valid) {
            attachments.add(attachment.words());
            containers.add(attachment.containerId());
        }
        var invalid = find(view, entry -> entry.reserves() && !isValid(entry, attachments, containers));
        return delete(invalid, reasons(invalid, NamesNoValidAttachment::new));
    }

    /// Checks whether every range set has a free address.
    public static Decision<HostLocalChange, Readiness> status(HostLocalView view, List<RangeGroup> groups) {
        var freeAddresses = new FreeAddresses(view.taken());
        var full = new ArrayList<RangeGroup>();
        var because = new ArrayList<Because>();
        for (int set = 0; set < groups.size(); set++) {
            var group = groups.get(set);
            if (freeAddresses.first(group.fromTheStart()).isEmpty()) {
                full.add(group);
                because.add(new SetIsFull(set, group));
            }
        }
        return new Decision<>(full.isEmpty() ? new Readiness.Ready() : new Readiness.Full(full), List.of(), because);
    }

    /// The files that name the attachment; only if there are none, those that name its container alone.
    private static List<FolderEntry> named(HostLocalView view, HostLocalAttachment attachment, List<Because> because) {
        var byAttachment = find(view, entry -> entry.names(attachment));
        if (!byAttachment.isEmpty()) {
            because.addAll(reasons(byAttachment, NamesAttachment::new));
            return byAttachment;
        }
        var byContainer = find(view, entry -> entry.namesOnly(attachment.containerId()));
        if (byContainer.isEmpty()) {
            because.add(new HoldsNothing(attachment));
        }
        because.addAll(reasons(byContainer, NamesContainer::new));
        return byContainer;
    }

    private static boolean isValid(
            FolderEntry entry, NavigableSet<String> attachments, NavigableSet<String> containers) {
        var lines = entry.lines();
        return switch (lines.size()) {
            case 1 -> containers.contains(lines.getFirst());
            case 2 ->
                !lines.getFirst().isEmpty()
                        && attachments.contains(new HostLocalAttachment(lines.getFirst(), lines.getLast()).words());
            default -> false;
        };
    }

    private static List<FolderEntry> find(HostLocalView view, Predicate<FolderEntry> which) {
        return view.entries().stream()
                .filter(which)
                .sorted(Comparator.comparing(FolderEntry::path))
                .toList();
    }

    private static List<Because> reasons(List<FolderEntry> entries, Function<FolderEntry, Because> reason) {
        return entries.stream().map(reason).toList();
    }

    private static Decision<HostLocalChange, HostLocalRelease> delete(
            List<FolderEntry> entries, List<Because> because) {
        return new Decision<>(
                new HostLocalRelease(entries),
                entries.stream().<HostLocalChange>map(Delete::new).toList(),
                because);
    }
}
