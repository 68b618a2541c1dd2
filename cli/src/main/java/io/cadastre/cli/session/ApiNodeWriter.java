package io.cadastre.cli.session;

import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.kubernetes.FieldManagers;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.List;
import java.util.Optional;

/// Writes Nodes and their events by a client of its own, with the limits of its own that the node allocator of
/// kube-controller-manager has.
public final class ApiNodeWriter implements NodeWriter, AutoCloseable {

    private final KubernetesDatastore api;

    ApiNodeWriter(KubernetesDatastore api) {
        this.api = api;
    }

    @Override
    public Commit patch(String node, Bytes changes, Runnable beforeSending) {
        return api.patch(
                new ObjectPatch(NodeObject.key(node), Merge.STRATEGIC, Rewriting.WHOLE, changes, beforeSending));
    }

    @Override
    public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
        return api.patch(
                new ObjectPatch(NodeObject.key(node), Merge.STRATEGIC, Rewriting.STATUS, changes, beforeSending));
    }

    @Override
    public Commit writeEvent(Write write) {
        return api.commit(List.of(write));
    }

    @Override
    public Optional<String> findCidrManager(String node) {
        var key = NodeObject.key(node);
        return api.fetchObject(key).flatMap(object -> FieldManagers.find(key, object, "spec", "podCIDRs"));
    }

    @Override
    public void close() {
        api.close();
    }
}
