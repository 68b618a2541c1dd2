package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.controller.spiderpool.collection.CollectionFacts;
import io.cadastre.controller.spiderpool.collection.PoolGcSettings;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.collect.CollectSettings;
import io.cadastre.engine.pool.collect.PoolCollector;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.PodDocument;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What `ipam check` finds in SpiderIPPools, a sentence for each.
///
/// @param leaked records of pods that do not exist, or that have another UID, and are not kept for a successor
/// @param unrecorded addresses that endpoints name and pools do not record for them
/// @param miscounted counts in the status of pools that are wrong
/// @param podsKnown whether the store has any Pod, without which records cannot be compared
record PoolInspection(
        int pools,
        int records,
        List<String> leaked,
        List<String> unrecorded,
        List<String> miscounted,
        boolean podsKnown) {

    private static final FieldSelection UID = FieldSelection.of(List.of(List.of("metadata", "uid")));

    static PoolInspection of(SpiderPools stored, Datastore store, CommandContext context) {
        var pods = uids(store);
        var leaked = new ArrayList<String>();
        var miscounted = new ArrayList<String>();
        var pools = new TreeMap<String, AddressPool>();
        int records = 0;
        var leaks = new Leaks(
                pods,
                Set.copyOf(pods.values()),
                new CollectionFacts(store, PoolGcSettings.DEFAULT.features()),
                context.clock().instant());
        for (var each : stored.pools()) {
            var pool = each.pool();
            pools.put(pool.name(), pool);
            records += pool.records().size();
            if (!pods.isEmpty()) {
                leaked.addAll(leaks.of(pool));
            }
            miscounted.addAll(miscounted(pool, each.json()));
        }
        var unrecorded = new ArrayList<String>();
        for (var document : store.listAll(SpiderKeys.ENDPOINTS).documents()) {
            try {
                unrecorded.addAll(unrecorded(document, pools));
            } catch (UnreadableDocumentException _) {
                context.warn("%s cannot be read and is ignored".formatted(document.key()));
            }
        }
        return new PoolInspection(pools.size(), records, leaked, unrecorded, miscounted, !pods.isEmpty());
    }

    /// The UIDs of all Pods; of one that cannot be read, empty.
    private static Map<String, String> uids(Datastore store) {
        var uids = new HashMap<String, String>();
        store.scan(
                CoreKeys.PODS,
                page -> page.forEach(document -> {
                    var name = document.key().substring(CoreKeys.PODS.length());
                    try {
                        uids.put(
                                name, PodDocument.read(document, UID).metadata().uid());
                    } catch (UnreadableDocumentException _) {
                        uids.put(name, "");
                    }
                }));
        return uids;
    }

    /// Tells records that are left over.
    ///
    /// @param pods their UIDs, by the names of the pods
    /// @param uids the same, without the names: a virtual machine's record has the UID of its pod and another name
    private record Leaks(Map<String, String> pods, Set<String> uids, CollectionFacts facts, Instant now) {

        List<String> of(AddressPool pool) {
            var leaked = new ArrayList<String>();
            pool.records().forEach((address, record) -> {
                if (uids.contains(record.podUid()) || kept(address, record)) {
                    return;
                }
                var uid = pods.get(record.pod());
                if (uid == null) {
                    leaked.add("%s of %s is recorded for pod %s, which does not exist"
                            .formatted(address, pool.name(), record.pod()));
                } else if (!uid.isEmpty()) {
                    leaked.add("%s of %s is recorded for pod %s with UID %s, which has UID %s"
                            .formatted(address, pool.name(), record.pod(), record.podUid(), uid));
                }
            });
            return leaked;
        }

        /// Whether the collector leaves the record alone, since a successor inherits it or too little is known.
        private boolean kept(Address address, PoolRecord record) {
            var key = CollectionFacts.named(record.pod());
            return !CollectionFacts.namesNoPod(key)
                    && !PoolCollector.judge(
                                    address,
                                    record.podUid(),
                                    facts.fetchHolder(key, record.podUid()),
                                    facts.fetchEndpoint(key),
                                    CollectSettings.DEFAULT,
                                    now)
                            .collects();
        }
    }

    private static List<String> miscounted(AddressPool pool, ObjectNode json) {
        if (!pool.damage().isEmpty()) {
            return List.of("%s cannot be used: %s".formatted(pool.name(), pool.damage()));
        }
        var faults = new ArrayList<String>();
        addMiscount(faults, pool, json, "allocatedIPCount", pool.records().size());
        addMiscount(faults, pool, json, "totalIPCount", IpText.count(pool.spec().effective()));
        return faults;
    }

    /// What a pool does not say yet is not wrong.
    private static void addMiscount(List<String> faults, AddressPool pool, ObjectNode json, String field, long right) {
        var count = json.path("status").path(field);
        if (!Fields.absent(count) && !count.toString().equals(Long.toString(right))) {
            faults.add("%s has %s %s, and it is %d".formatted(pool.name(), field, count, right));
        }
    }

    private static List<String> unrecorded(Document document, Map<String, AddressPool> pools) {
        var name = document.key().substring(SpiderKeys.ENDPOINTS.length());
        int slash = Math.max(0, name.indexOf('/'));
        var key = new PodKey(name.substring(0, slash), name.substring(Math.min(name.length(), slash + 1)));
        var unrecorded = new ArrayList<String>();
        for (var nic :
                SpiderEndpointDocument.decode(key, document.value()).endpoint().nics()) {
            for (var taken : nic.addresses()) {
                var pool = pools.get(taken.pool());
                var record = pool == null ? null : pool.records().get(taken.address());
                if (record == null || !record.pod().equals(key.toString())) {
                    unrecorded.add("the endpoint of pod %s has %s, which %s"
                            .formatted(
                                    key,
                                    taken.address(),
                                    pool == null
                                            ? "is of the pool %s that does not exist".formatted(taken.pool())
                                            : record == null
                                                    ? "%s does not record".formatted(taken.pool())
                                                    : "%s records for pod %s".formatted(taken.pool(), record.pod())));
                }
            }
        }
        return unrecorded;
    }

    int problems() {
        return leaked.size() + unrecorded.size() + miscounted.size();
    }

    /// @param detail whether the problems are named
    void print(InspectionText.Detail detail, PrintStream out) {
        out.println();
        out.println("Checking SpiderIPPools...");
        out.println("Found %d SpiderIPPools with %d records.".formatted(pools, records));
        print(leaked, detail, out);
        out.println(
                podsKnown
                        ? "Found %d records of pods that do not exist or have another UID.".formatted(leaked.size())
                        : "The store has no Pod, so records are not compared with pods.");
        print(unrecorded, detail, out);
        out.println("Found %d addresses of endpoints without a record.".formatted(unrecorded.size()));
        print(miscounted, detail, out);
        out.println("Found %d wrong counts of SpiderIPPools.".formatted(miscounted.size()));
        out.println("Check of SpiderIPPools complete; found %d problems.".formatted(problems()));
    }

    private static void print(List<String> problems, InspectionText.Detail detail, PrintStream out) {
        if (detail != InspectionText.Detail.NONE) {
            problems.forEach(problem -> out.println("  " + problem));
        }
    }
}
