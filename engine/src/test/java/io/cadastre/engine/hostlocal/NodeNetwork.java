package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Decision;
import io.cadastre.engine.hostlocal.HostLocalAllocation.Allocated;
import io.cadastre.engine.hostlocal.HostLocalSetup.Configured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// A network on which decisions take effect at once, for tests that read like a story.
final class NodeNetwork {

    private final List<RangeGroup> groups;
    private HostLocalView view;

    private NodeNetwork(List<RangeGroup> groups, HostLocalView view) {
        this.groups = groups;
        this.view = view;
    }

    /// @param sets each the subnets of one range set, divided by commas
    static NodeNetwork of(String... sets) {
        return of(Arrays.stream(sets)
                .map(set -> Arrays.stream(set.split(",", -1))
                        .map(NodeNetwork::aRange)
                        .toList())
                .toList());
    }

    static NodeNetwork of(List<List<WrittenRange>> sets) {
        return switch (HostLocalSetup.from(sets, new PerFamily.Any())) {
            case Configured(var groups) -> new NodeNetwork(groups, HostLocalView.EMPTY);
            case HostLocalSetup.Rejected(var sentence) -> throw new AssertionError(sentence);
        };
    }

    static WrittenRange aRange(String subnet) {
        var prefix = Prefix.parse(subnet);
        return WrittenRange.nothing().in(prefix.address(), prefix.length());
    }

    static Address address(String text) {
        return Address.parse(text);
    }

    static HostLocalAttachment eth0Of(String container) {
        return new HostLocalAttachment(container, "eth0");
    }

    /// With a file of this content for each address.
    NodeNetwork holding(String content, String... addresses) {
        return with(Arrays.stream(addresses)
                .map(name -> new FolderEntry(name, content))
                .toList());
    }

    NodeNetwork with(List<FolderEntry> more) {
        var entries = new ArrayList<>(view.entries());
        entries.addAll(more);
        view = new HostLocalView(entries, view.barred(), view.lastReserved());
        return this;
    }

    NodeNetwork barring(String prefix) {
        view = new HostLocalView(
                view.entries(), view.barred().union(RangeSet.of(Prefix.parse(prefix))), view.lastReserved());
        return this;
    }

    NodeNetwork lastReserved(int set, String last) {
        var moved = new TreeMap<>(view.lastReserved());
        moved.put(set, address(last));
        view = new HostLocalView(view.entries(), view.barred(), moved);
        return this;
    }

    HostLocalView view() {
        return view;
    }

    List<RangeGroup> groups() {
        return groups;
    }

    List<String> paths() {
        return view.entries().stream().map(FolderEntry::path).sorted().toList();
    }

    Decision<HostLocalChange, HostLocalAllocation> allocate(HostLocalAttachment attachment, String... requested) {
        var addresses = Arrays.stream(requested).map(NodeNetwork::address).toList();
        return enact(HostLocalEngine.allocate(view, new HostLocalRequest(attachment, groups, addresses)));
    }

    Decision<HostLocalChange, HostLocalRelease> release(HostLocalAttachment attachment) {
        return enact(HostLocalEngine.release(view, attachment));
    }

    Decision<HostLocalChange, HostLocalRelease> collect(HostLocalAttachment... valid) {
        return enact(HostLocalEngine.collect(view, List.of(valid)));
    }

    /// The addresses that the attachment is given.
    List<String> given(HostLocalAttachment attachment, String... requested) {
        return switch (allocate(attachment, requested).outcome()) {
            case Allocated(var leases) ->
                leases.stream().map(lease -> lease.address().toString()).toList();
            case HostLocalAllocation.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    /// Why the attachment is given nothing.
    HostLocalRefusal refusal(HostLocalAttachment attachment, String... requested) {
        return switch (allocate(attachment, requested).outcome()) {
            case Allocated(var leases) -> throw new AssertionError("given " + leases);
            case HostLocalAllocation.Refused(var refusal) -> refusal;
        };
    }

    <O> Decision<HostLocalChange, O> enact(Decision<HostLocalChange, O> decision) {
        for (var change : decision.changes()) {
            view = view.with(change);
        }
        return decision;
    }
}
