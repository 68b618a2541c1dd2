package io.cadastre.controller.spiderpool.subnet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The subnets, or the pools, that are there. A change that is not only about the addresses of pods makes tasks. The
/// thread of the watches writes it; others only ask for names.
final class ObjectSightings implements KindHandler {

    private static final String SUBNET_LABEL = "/metadata/labels/ipam.spidernet.io~1owner-spider-subnet";
    private static final String APPLICATION_LABEL = "/metadata/labels/ipam.spidernet.io~1owner-application-name";

    /// What subnets and pools depend on. The records of a pool may be many, and most changes are of them.
    private static final FieldSelection WANTED = FieldSelection.of(List.of(
            List.of("metadata", "labels"),
            List.of("metadata", "ownerReferences"),
            List.of("metadata", "deletionTimestamp"),
            List.of("metadata", "uid"),
            List.of("spec"),
            List.of("status", "controlledIPPools"),
            List.of("status", "totalIPCount"),
            List.of("status", "allocatedIPs")));

    private final Kind kind;
    private final Consumer<SubnetTask> tasks;
    private final Map<String, Sighting> seen = new ConcurrentHashMap<>();
    private final Set<String> listed = new HashSet<>();

    /// What is followed.
    enum Kind {
        SUBNETS("spidersubnets", SpiderKeys.SUBNETS),
        POOLS("spiderippools", SpiderKeys.POOLS);

        private final String word;
        private final String prefix;

        Kind(String word, String prefix) {
            this.word = word;
            this.prefix = prefix;
        }
    }

    /// @param content without the records of pods, but whether there are any
    /// @param subnet that of a pool; empty if it has none
    private record Sighting(ObjectNode content, String cidr, String subnet, Purpose purpose) {}

    private enum Purpose {
        MADE_FOR_APPLICATION,
        OTHER
    }

    ObjectSightings(Kind kind, Consumer<SubnetTask> tasks) {
        this.kind = kind;
        this.tasks = tasks;
    }

    @Override
    public String kind() {
        return kind.word;
    }

    @Override
    public String prefix() {
        return kind.prefix;
    }

    @Override
    public void begin() {
        listed.clear();
    }

    @Override
    public void fill(List<Document> documents) {
        for (var document : documents) {
            listed.add(name(document.key()));
            note(document);
        }
    }

    private String name(String key) {
        return key.substring(kind.prefix.length());
    }

    @Override
    public void complete(long revision) {
        List.copyOf(seen.keySet()).stream()
                .filter(name -> !listed.contains(name))
                .forEach(this::noteGone);
        listed.clear();
    }

    @Override
    public void change(Watch.Notice.Changed notice) {
        for (var change : notice.changes()) {
            switch (change) {
                case Watch.Change.Put(var document) -> note(document);
                case Watch.Change.Deleted(var key, var _) -> noteGone(name(key));
            }
        }
    }

    @Override
    public void lost() {}

    private void note(Document document) {
        var name = name(document.key());
        try {
            var sighting = read(document);
            if (!sighting.equals(seen.put(name, sighting))) {
                look(name, sighting);
            }
        } catch (UnreadableDocumentException _) {
            // The worker reports it, if it needs the object.
        }
    }

    private static Sighting read(Document document) {
        var json = Json.readObject(document.key(), document.value(), WANTED);
        if (json.get("status") instanceof ObjectNode status
                && status.path("allocatedIPs").isTextual()) {
            status.put("allocatedIPs", "some");
        }
        return new Sighting(
                json,
                json.at("/spec/subnet").asText(),
                json.at(SUBNET_LABEL).asText(),
                json.at(APPLICATION_LABEL).isTextual() ? Purpose.MADE_FOR_APPLICATION : Purpose.OTHER);
    }

    private void noteGone(String name) {
        var former = seen.remove(name);
        if (former != null) {
            look(name, former);
        }
    }

    private void look(String name, Sighting sighting) {
        switch (kind) {
            case SUBNETS -> tasks.accept(new SubnetTask.Tend(name));
            case POOLS -> {
                if (!sighting.subnet().isEmpty()) {
                    tasks.accept(new SubnetTask.Tend(sighting.subnet()));
                }
                if (sighting.purpose() == Purpose.MADE_FOR_APPLICATION) {
                    tasks.accept(new SubnetTask.Judge(name));
                } else {
                    tasks.accept(new SubnetTask.Adopt(sighting.cidr()));
                }
            }
        }
    }

    /// Has all be looked at again.
    void resync() {
        seen.forEach(this::look);
    }

    /// How many there are.
    int count() {
        return seen.size();
    }
}
