package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A store that takes pools and subnets as an API server does: one write after the other, the status of an object and
/// the rest of it by two of them, and an object in use stays when it is deleted.
record PerPartStore(Datastore store) implements ForwardingDatastore {

    private static final Instant DELETED = Instant.parse("2026-11-15T08:20:13Z");

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public boolean hasPlace(String key) {
        return !key.equals(SpiderKeys.MEETING);
    }

    @Override
    public Commit commit(List<Write> writes) {
        var revisions = new ArrayList<Long>();
        for (var write : writes) {
            switch (store.commit(List.of(taken(write)))) {
                case Commit.Done(var done) -> revisions.addAll(done);
                case Commit.Conflict(var _, var kind) -> {
                    return new Commit.Conflict(revisions.size(), kind);
                }
                case Commit.Unknown unknown -> {
                    return unknown;
                }
            }
        }
        return new Commit.Done(revisions);
    }

    private Write taken(Write write) {
        var resource = resource(write.key());
        if (resource.isEmpty()) {
            return write;
        }
        return switch (write) {
            case Write.Create create -> {
                check(!json(create.value()).has("status"), "a new object has a status: " + create.key());
                yield create;
            }
            case Write.Update update -> {
                var before = json(store.get(update.key()).orElseThrow().value());
                var after = json(update.value());
                boolean status = !part(before, "status").equals(part(after, "status"));
                before.remove("status");
                after.remove("status");
                check(!status || Trees.sorted(before).equals(Trees.sorted(after)), "both parts of " + update.key());
                yield update;
            }
            case Write.Delete delete -> {
                var found = store.get(delete.key()).orElseThrow();
                var json = json(found.value());
                yield !Trees.terminating(json) && SpiderResources.inUse(resource.get(), found.value())
                        ? new Write.Update(delete.key(), Trees.ending(json, DELETED), delete.revision())
                        : delete;
            }
        };
    }

    private static Optional<ApiResource> resource(String key) {
        return SpiderResources.ALL.stream()
                .filter(resource -> key.startsWith(
                        resource.plural().equals("spidersubnets") ? SpiderKeys.SUBNETS : SpiderKeys.POOLS))
                .filter(resource -> resource.plural().equals("spidersubnets")
                        || resource.plural().equals("spiderippools"))
                .findFirst();
    }

    private static ObjectNode json(io.cadastre.datastore.Bytes value) {
        return Json.readObject("object", value);
    }

    private static JsonNode part(ObjectNode json, String name) {
        return Trees.sorted(json.path(name));
    }

    private static void check(boolean right, String fault) {
        if (!right) {
            throw new AssertionError(fault);
        }
    }
}
