package io.cadastre.controller.nodecidr;

import io.cadastre.controller.ControllerContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Nodes that cannot be read and of which no CIDRs are known. Each may have any, so while there is one, what would
/// give CIDRs to others is postponed.
///
/// Not safe for several threads at once, except for [#fault()].
public final class UnreadNodes {

    private final ControllerContext context;

    /// The revisions of their documents.
    private final SortedMap<String, Long> revisions = new TreeMap<>();

    /// Nodes to be worked on when all can be read; as many as there are Nodes.
    private final SequencedSet<String> postponed = new LinkedHashSet<>();

    private volatile @Nullable String fault;

    public UnreadNodes(ControllerContext context) {
        this.context = context;
    }

    /// Why no CIDR is given; empty if all Nodes can be read.
    public Optional<String> fault() {
        return Optional.ofNullable(fault);
    }

    /// Those of a list take the place of all from before it.
    public void list(Map<String, Long> unreadable, long revision) {
        revisions.values().removeIf(known -> known <= revision);
        unreadable.forEach((name, found) -> revisions.merge(name, found, Math::max));
        change();
    }

    public void add(String name, long revision) {
        revisions.merge(name, revision, Math::max);
        change();
    }

    /// The Node was read at this revision, or was deleted.
    public void remove(String name, long revision) {
        revisions.computeIfPresent(name, (_, unread) -> unread <= revision ? null : unread);
        change();
    }

    /// Whether work on this Node is to wait.
    public boolean postpones(String name) {
        if (revisions.isEmpty()) {
            return false;
        }
        if (postponed.isEmpty()) {
            fault().ifPresent(context.reports());
        }
        postponed.add(name);
        return true;
    }

    /// The Nodes to be worked on now.
    public List<String> takePostponed() {
        if (!revisions.isEmpty()) {
            return List.of();
        }
        var taken = new ArrayList<>(postponed);
        postponed.clear();
        return taken;
    }

    private void change() {
        fault = revisions.isEmpty()
                ? null
                : "no CIDR is given to any Node, since Node %s cannot be read and may have any: mend or delete it"
                        .formatted(revisions.firstKey());
    }
}
