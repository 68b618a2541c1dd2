package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;

/// How the process of a machine changes Nodes.
record ProcessWriter(SimulatedProcess process, SimulatedApi api, Datastore events) implements NodeWriter {

    @Override
    public Commit patch(String node, Bytes changes, Runnable beforeSending) {
        return api.patch(process, node, changes, beforeSending);
    }

    @Override
    public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
        throw new AssertionError("the status of %s is patched: %s".formatted(node, changes.utf8()));
    }

    @Override
    public Commit writeEvent(Write write) {
        return events.commit(List.of(write));
    }

    @Override
    public Optional<String> findCidrManager(String node) {
        return api.manager(process, node);
    }
}
