package io.cadastre.verification.benchmarks;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.IpPoolDocument;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The pools and nodes of a measurement.
final class BenchCluster {

    private static final JsonMapper JSON = new JsonMapper();

    private BenchCluster() {}

    static void addPool(Datastore store, String name, Prefix cidr, int blockLength) {
        var given = JSON.createObjectNode();
        given.put("kind", "IPPool").put("apiVersion", "projectcalico.org/v3");
        given.putObject("metadata").put("name", name);
        given.putObject("spec").put("cidr", cidr.toString()).put("blockSize", blockLength);
        write(store, List.of(create(CalicoKeys.POOLS + name, pool(name, given))));
    }

    private static IpPoolDocument pool(String name, ObjectNode given) {
        return IpPoolDocument.create(name, given, uid(name), Instant.EPOCH);
    }

    /// Nodes of which the number is appended to this word.
    static void addNodes(Datastore store, String word, int count) {
        var writes = new ArrayList<Write>();
        for (int index = 0; index < count; index++) {
            var name = word + index;
            var given = JSON.createObjectNode();
            given.put("kind", "Node").put("apiVersion", "projectcalico.org/v3");
            given.putObject("metadata").put("name", name);
            given.putObject("spec");
            var node = CalicoKinds.NODE.create(name, given, uid(name), Instant.EPOCH);
            writes.add(new Write.Create(CalicoKeys.NODES + name, Json.write(node)));
        }
        write(store, writes);
    }

    static Write create(String key, CalicoDocument document) {
        return new Write.Create(key, document.encode());
    }

    /// Writes as many at once as a commit takes.
    static void write(Datastore store, List<Write> writes) {
        for (int from = 0; from < writes.size(); from += Datastore.WRITES_MAX) {
            var part = writes.subList(from, Math.min(writes.size(), from + Datastore.WRITES_MAX));
            if (!(store.commit(part) instanceof Commit.Done)) {
                throw new IllegalStateException("the town exists already");
            }
        }
    }

    private static UUID uid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
