package io.cadastre.verification.benchmarks;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A large cluster in a store, in which every pod reports its address.
///
/// @param nodes how many there are
/// @param podsEach how many each node has
record LargeCluster(Datastore store, int nodes, int podsEach) {

    private static final int BLOCK_LENGTH = 26;
    private static final int BLOCK_SIZE = 64;
    private static final Subdivision BLOCKS = new Subdivision(Prefix.parse("10.0.0.0/8"), BLOCK_LENGTH);

    /// One of the pods.
    private record Pod(int node, int number) {

        String name() {
            return "web-%d-%d".formatted(node, number);
        }

        String key() {
            return "/cadastre/api/v1/pods/default/" + name();
        }

        /// As long as those that a runtime's identifiers make.
        String handle() {
            return "k8s-pod-network.%064x".formatted(((long) node << 32) + number);
        }
    }

    int addresses() {
        return nodes * podsEach;
    }

    int blocks() {
        return nodes * blocksEach();
    }

    private int blocksEach() {
        return (podsEach + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }

    void build() {
        BenchCluster.addPool(store, "pool", BLOCKS.whole(), BLOCK_LENGTH);
        var writes = new ArrayList<Write>();
        for (int node = 0; node < nodes; node++) {
            addNode(node, writes);
            for (int first = 0; first < podsEach; first += BLOCK_SIZE) {
                addBlock(node, first, writes);
            }
        }
        BenchCluster.write(store, writes);
    }

    private static String nameOf(int node) {
        return "node-" + node;
    }

    private static void addNode(int node, List<Write> writes) {
        var name = nameOf(node);
        writes.add(create(CalicoKeys.NODES + name, """
            {"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},\
            "spec":{"orchRefs":[{"orchestrator":"k8s","nodeName":"%s"}]}}\
            """.formatted(name, name)));
        writes.add(create(
                NodeBook.NODES + name,
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}".formatted(name)));
    }

    private void addBlock(int node, int first, List<Write> writes) {
        var cidr = BLOCKS.part((long) node * blocksEach() + first / BLOCK_SIZE);
        int count = Math.min(BLOCK_SIZE, podsEach - first);
        var addresses = new Subdivision(cidr, 32);
        var attributes = new ArrayList<String>();
        for (int ordinal = 0; ordinal < count; ordinal++) {
            var pod = new Pod(node, first + ordinal);
            attributes.add("""
                {"handle_id":"%s","secondary":{"namespace":"default","node":"%s","pod":"%s",\
                "timestamp":"2026-01-31 12:00:00.000000000 +0000 UTC"}}\
                """.formatted(pod.handle(), nameOf(node), pod.name()));
            addPod(pod, addresses.part(ordinal).first().toString(), cidr, writes);
        }
        writes.add(create(new CalicoKey.OfBlock(cidr).text(), """
            {"cidr":"%s","affinity":"host:%s","allocations":[%s],"unallocated":[%s],\
            "attributes":[%s],"sequenceNumber":1,"deleted":false}\
            """.formatted(
                        cidr,
                        nameOf(node),
                        joined(IntStream.range(0, BLOCK_SIZE)
                                .mapToObj(ordinal -> ordinal < count ? Integer.toString(ordinal) : "null")
                                .toList()),
                        joined(IntStream.range(count, BLOCK_SIZE)
                                .mapToObj(Integer::toString)
                                .toList()),
                        joined(attributes))));
        writes.add(create(
                new CalicoKey.OfAffinity(Owner.host(nameOf(node)), cidr).text(),
                "{\"state\":\"confirmed\",\"deleted\":false}"));
    }

    private static void addPod(Pod pod, String address, Prefix block, List<Write> writes) {
        writes.add(create(pod.key(), """
            {"apiVersion":"v1","kind":"Pod",\
            "metadata":{"namespace":"default","name":"%s"},"spec":{"nodeName":"%s"},\
            "status":{"phase":"Running","podIP":"%s","podIPs":[{"ip":"%s"}]}}\
            """.formatted(pod.name(), nameOf(pod.node()), address, address)));
        writes.add(
                create(CalicoKeys.HANDLES + pod.handle(), "{\"block\":{\"%s\":1},\"deleted\":false}".formatted(block)));
    }

    private static String joined(List<String> words) {
        return words.stream().collect(Collectors.joining(","));
    }

    private static Write create(String key, String json) {
        return new Write.Create(key, Bytes.ofUtf8(json));
    }

    /// On each node the first pods are gone without a DEL.
    void removePods(int countEach) {
        var keys = new ArrayList<String>();
        for (int node = 0; node < nodes; node++) {
            for (int number = 0; number < countEach; number++) {
                keys.add(new Pod(node, number).key());
            }
        }
        for (int from = 0; from < keys.size(); from += Datastore.WRITES_MAX) {
            var part = keys.subList(from, Math.min(keys.size(), from + Datastore.WRITES_MAX));
            var commit = store.commit(part.stream()
                    .<Write>map(key ->
                            new Write.Delete(key, store.get(key).orElseThrow().revision()))
                    .toList());
            if (!(commit instanceof Commit.Done)) {
                throw new IllegalStateException("the pods were not removed: " + commit);
            }
        }
    }

    /// How many of the handles that should be there are, if those of the first pods of each node are to be
    /// gone.
    ///
    /// @throws IllegalStateException if one is there that should not be
    int handlesBeyond(int countEach) {
        int found = 0;
        for (int node = 0; node < nodes; node++) {
            for (int number = 0; number < podsEach; number++) {
                var handle = new Pod(node, number).handle();
                boolean there = store.get(CalicoKeys.HANDLES + handle).isPresent();
                if (there && number < countEach) {
                    throw new IllegalStateException(handle + " was not taken back");
                }
                found += there ? 1 : 0;
            }
        }
        return found;
    }
}
