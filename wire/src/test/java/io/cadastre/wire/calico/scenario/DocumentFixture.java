package io.cadastre.wire.calico.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.IpPool;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.SortedMap;

/// All of it in documents of Calico's, as in etcd.
final class DocumentFixture implements ClusterFixture {

    @Override
    public void node(Datastore store, String name, SortedMap<String, String> labels) {
        var json = ScenarioCluster.resource("Node", name);
        var map = ((ObjectNode) json.get("metadata")).putObject("labels");
        labels.forEach(map::put);
        json.putObject("spec")
                .putArray("orchRefs")
                .addObject()
                .put("nodeName", name)
                .put("orchestrator", "k8s");
        ScenarioCluster.put(store, CalicoKeys.NODES + name, Json.write(json));
    }

    @Override
    public void pool(Datastore store, IpPool pool) {
        ScenarioCluster.put(store, CalicoKeys.POOLS + pool.name(), document(pool));
    }

    @Override
    public void noPool(Datastore store, Document pool) {
        ScenarioCluster.require(store.commit(List.of(new Write.Delete(pool.key(), pool.revision()))));
    }

    static Bytes document(IpPool pool) {
        var json = ScenarioCluster.resource("IPPool", pool.name());
        var spec = json.putObject("spec")
                .put("cidr", pool.cidr().toString())
                .put("blockSize", pool.blockLength())
                .put("nodeSelector", pool.nodeSelector().text())
                .put(
                        "assignmentMode",
                        switch (pool.assignmentMode()) {
                            case AUTOMATIC -> "Automatic";
                            case MANUAL -> "Manual";
                        });
        // A pool for tunnels must not say which namespaces it is for, not even that it is for all.
        if (!pool.namespaceSelector().text().equals("all()")) {
            spec.put("namespaceSelector", pool.namespaceSelector().text());
        }
        var uses = spec.putArray("allowedUses");
        pool.allowedUses().forEach(use -> uses.add(use.toString()));
        switch (pool.standing()) {
            case ENABLED -> {}
            case DISABLED -> spec.put("disabled", true);
            case DELETING -> ((ObjectNode) json.get("metadata")).put("deletionTimestamp", "2026-03-01T10:20:30Z");
            case NOT_ALLOCATABLE ->
                json.putObject("status")
                        .putArray("conditions")
                        .addObject()
                        .put("type", "Allocatable")
                        .put("status", "False");
        }
        return Json.write(json);
    }
}
