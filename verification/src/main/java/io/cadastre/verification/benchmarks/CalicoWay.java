package io.cadastre.verification.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// One address at a time with the single reads and writes, in the order, that Calico makes on etcd: the
/// reference that our own way is measured against, through the same client.
///
/// A host that has a block: eight reads, the handle created, the block updated. A host that has none:
/// nine reads, the affinity created and updated, the block created, the affinity confirmed, the handle
/// created, the block updated. What meets a conflict is read again and tried again at once.
final class CalicoWay {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int ATTEMPTS_MAX = 100_000;
    private static final int BLOCK_LENGTH = 26;
    private static final int BLOCK_SIZE = 64;

    private final Datastore store;
    private final Prefix pool;
    private final RandomGenerator dice;

    CalicoWay(Datastore store, Prefix pool, RandomGenerator dice) {
        this.store = store;
        this.pool = pool;
        this.dice = dice;
    }

    Address assign(String host, String handle) {
        understand(store.get(CalicoKeys.CONFIG).stream().toList());
        understand(store.listAll(CalicoKeys.RESERVATIONS).documents());
        understand(store.get(CalicoKeys.NODES + host).stream().toList());
        understand(store.listAll(CalicoKeys.POOLS).documents());
        var affinities = store.listAll(CalicoKeys.affinities(Owner.host(host), Family.IPV4))
                .documents();
        understand(affinities);
        for (var affinity : affinities) {
            understand(store.get(affinity.key()).stream().toList());
            var cidr = affinity.key().substring(affinity.key().lastIndexOf('/') + 1);
            var blockKey = CalicoKeys.blocks(Family.IPV4) + cidr;
            // Absent while another host is about to claim it.
            var given = store.get(blockKey)
                    .filter(block -> !free(decode(block)).isEmpty())
                    .flatMap(block -> assignFrom(blockKey, block, handle));
            if (given.isPresent()) {
                return given.get();
            }
        }
        return assignFromNew(host, handle);
    }

    /// Decodes what is read, since a decision needs it. Our own codecs do it.
    private static void understand(List<Document> documents) {
        for (var document : documents) {
            var key = CalicoKeys.parse(document.key()).orElseThrow();
            CalicoDocument.decode(key, document.value());
        }
    }

    private Address assignFromNew(String host, String handle) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            var block = claim(host);
            if (block.isPresent()) {
                var given = assignFrom(block.get().key(), block.get(), handle);
                if (given.isPresent()) {
                    return given.get();
                }
            }
        }
        throw new IllegalStateException("%s could claim no block".formatted(host));
    }

    private Optional<Document> claim(String host) {
        store.listAll(CalicoKeys.BLOCKS);
        var cidr = part();
        var affinityKey = new CalicoKey.OfAffinity(Owner.host(host), cidr).text();
        var blockKey = new CalicoKey.OfBlock(cidr).text();
        var pending = Bytes.ofUtf8("{\"state\":\"pending\",\"deleted\":false}");
        var confirmed = Bytes.ofUtf8("{\"state\":\"confirmed\",\"deleted\":false}");
        if (!(write(new Write.Create(affinityKey, pending)) instanceof Commit.Done created)) {
            return Optional.empty();
        }
        store.get(blockKey);
        store.get(CalicoKeys.CONFIG);
        long revision = done(new Write.Update(affinityKey, pending, revision(created)));
        if (!(write(new Write.Create(blockKey, fresh(host, cidr))) instanceof Commit.Done made)) {
            done(new Write.Delete(affinityKey, revision));
            return Optional.empty();
        }
        done(new Write.Update(affinityKey, confirmed, revision));
        return Optional.of(new Document(blockKey, fresh(host, cidr), revision(made)));
    }

    /// A random block of the pool, as the generator of a host would begin anywhere.
    private Prefix part() {
        long count = 1L << (BLOCK_LENGTH - pool.length());
        return new Prefix(pool.address().plus(dice.nextLong(count) * BLOCK_SIZE), BLOCK_LENGTH);
    }

    private Optional<Address> assignFrom(String blockKey, Document read, String handle) {
        var block = read;
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            var json = decode(block);
            if (free(json).isEmpty()) {
                return Optional.empty();
            }
            var handleKey = CalicoKeys.HANDLES + handle;
            store.get(handleKey);
            var cidr = Prefix.parse(json.get("cidr").asText());
            var text = "{\"block\":{\"%s\":1},\"deleted\":false}".formatted(cidr);
            long handleRevision = done(new Write.Create(handleKey, Bytes.ofUtf8(text)));
            int ordinal = take(json, handle);
            if (write(new Write.Update(blockKey, encode(json), block.revision())) instanceof Commit.Done) {
                return Optional.of(cidr.address().plus(ordinal));
            }
            store.get(handleKey);
            done(new Write.Delete(handleKey, handleRevision));
            block = store.get(blockKey).orElseThrow();
        }
        throw new IllegalStateException("block %s was never won".formatted(blockKey));
    }

    private static ArrayNode free(ObjectNode block) {
        return (ArrayNode) block.get("unallocated");
    }

    private static int take(ObjectNode block, String handle) {
        int ordinal = free(block).remove(0).asInt();
        var attributes = block.withArray("attributes");
        attributes.addObject().put("handle_id", handle).putObject("secondary").put("node", "n");
        ((ArrayNode) block.get("allocations")).set(ordinal, attributes.size() - 1);
        long sequence = block.get("sequenceNumber").asLong();
        block.put("sequenceNumber", sequence + 1);
        ((ObjectNode) block.get("sequenceNumberForAllocation")).put(Integer.toString(ordinal), sequence);
        return ordinal;
    }

    private static Bytes fresh(String host, Prefix cidr) {
        var block = JSON.createObjectNode();
        block.put("cidr", cidr.toString()).put("affinity", "host:" + host);
        var allocations = block.putArray("allocations");
        var unallocated = block.putArray("unallocated");
        for (int ordinal = 0; ordinal < BLOCK_SIZE; ordinal++) {
            allocations.addNull();
            unallocated.add(ordinal);
        }
        block.putArray("attributes");
        block.put("sequenceNumber", 1L);
        block.putObject("sequenceNumberForAllocation");
        block.put("deleted", false);
        return encode(block);
    }

    private Commit write(Write write) {
        return store.commit(List.of(write));
    }

    private long done(Write write) {
        return switch (write(write)) {
            case Commit.Done done -> revision(done);
            case Commit.Conflict conflict -> throw new IllegalStateException(conflict.toString());
            case Commit.Unknown unknown -> throw new IllegalStateException(unknown.toString());
        };
    }

    private static long revision(Commit.Done done) {
        return done.revisions().getFirst();
    }

    private static ObjectNode decode(Document document) {
        try {
            JsonNode json = JSON.readTree(document.value().toByteArray());
            return (ObjectNode) json;
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    private static Bytes encode(ObjectNode json) {
        return Bytes.ofUtf8(json.toString());
    }
}
