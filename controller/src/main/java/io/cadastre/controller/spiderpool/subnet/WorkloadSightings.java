package io.cadastre.controller.spiderpool.subnet;

import io.cadastre.address.Family;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.RequestedSubnets;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.workload.SubnetAnnotations;
import io.cadastre.wire.spiderpool.workload.WorkloadDocument;
import io.cadastre.wire.spiderpool.workload.WorkloadDocument.Eligibility;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The applications of one kind that ask for subnets. Whatever changes what they are to have makes a task. Only the
/// thread of the watches touches it.
final class WorkloadSightings implements KindHandler {

    private final WorkloadKind kind;
    private final List<Family> families;
    private final Consumer<SubnetTask> tasks;

    /// Those that ask for something.
    private final Map<OwnerApplication, Sighting> seen = new HashMap<>();

    /// Those of a list that is under way.
    private final Set<OwnerApplication> listed = new HashSet<>();

    /// What a pool depends on.
    private record Sighting(String uid, long replicas, RequestedSubnets requested, Eligibility eligibility) {}

    /// @param tasks takes what is to be looked at
    WorkloadSightings(WorkloadKind kind, List<Family> families, Consumer<SubnetTask> tasks) {
        this.kind = kind;
        this.families = families;
        this.tasks = tasks;
    }

    @Override
    public String kind() {
        return kind.plural();
    }

    @Override
    public String prefix() {
        return kind.keys();
    }

    @Override
    public void begin() {
        listed.clear();
    }

    @Override
    public void fill(List<Document> documents) {
        for (var document : documents) {
            kind.application(document.key()).ifPresent(listed::add);
            note(document);
        }
    }

    @Override
    public void complete(long revision) {
        List.copyOf(seen.keySet()).stream()
                .filter(application -> !listed.contains(application))
                .forEach(this::noteGone);
        listed.clear();
    }

    @Override
    public void change(Watch.Notice.Changed notice) {
        for (var change : notice.changes()) {
            switch (change) {
                case Watch.Change.Put(var document) -> note(document);
                case Watch.Change.Deleted(var key, var _) ->
                    kind.application(key).ifPresent(this::noteGone);
            }
        }
    }

    @Override
    public void lost() {}

    private void note(Document document) {
        kind.application(document.key()).ifPresent(application -> {
            var sighting = read(application, document);
            var former = Optional.ofNullable(seen.get(application));
            if (former.isPresent()
                    && sighting.filter(now -> now.uid().equals(former.get().uid()))
                            .isEmpty()) {
                noteGone(application);
            }
            if (sighting.isPresent() && !sighting.equals(former)) {
                seen.put(application, sighting.get());
                tasks.accept(new SubnetTask.Serve(kind, application));
            }
        });
    }

    /// Empty if it asks for nothing, or cannot be read.
    private Optional<Sighting> read(OwnerApplication application, Document document) {
        try {
            var read = WorkloadDocument.read(kind, application, document.value());
            var requested = SubnetAnnotations.read(read.annotations(), families);
            return requested instanceof RequestedSubnets.None
                    ? Optional.empty()
                    : Optional.of(new Sighting(read.uid(), read.replicas(), requested, read.eligibility()));
        } catch (UnreadableDocumentException _) {
            return Optional.ofNullable(seen.get(application));
        }
    }

    private void noteGone(OwnerApplication application) {
        var former = seen.remove(application);
        if (former != null) {
            tasks.accept(new SubnetTask.Reclaim(application, former.uid()));
        }
    }
}
