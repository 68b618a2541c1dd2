package io.cadastre.wire.spiderpool.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.ReplicaCount;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.ObjectMeta;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// An application, as far as pools for it depend on it.
///
/// @param replicas how many it counts with
/// @param annotations those of its pods
/// @param eligibility whether a pool may be made for it
public record WorkloadDocument(
        OwnerApplication application,
        String uid,
        long replicas,
        SortedMap<String, String> annotations,
        Eligibility eligibility) {

    /// What an application may be controlled by that has its pools instead.
    private static final List<String> CONTROLLERS = List.of("Deployment", "CronJob");

    public WorkloadDocument {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    /// Whether a pool may be made for an application.
    public enum Eligibility {
        SERVED,

        /// Its pods have the network of their nodes.
        HOST_NETWORK,

        /// What controls it has the pools.
        CONTROLLED,

        /// Its deletion has begun.
        LEAVING
    }

    /// Reads the document of an application.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if it is not one
    public static WorkloadDocument read(WorkloadKind kind, OwnerApplication application, Bytes value) {
        var key = kind.key(application);
        var reader = new Fields(key);
        var json = Json.readObject(key, value);
        var metadata = ObjectMeta.of(reader, json);
        var spec = reader.object(json, "spec");
        var jobSpec = kind == WorkloadKind.CRON_JOB ? reader.object(reader.object(spec, "jobTemplate"), "spec") : spec;
        var template = reader.object(jobSpec, "template");
        return new WorkloadDocument(
                application,
                metadata.uid(),
                replicas(kind, reader, json, jobSpec),
                ObjectMeta.of(reader, template).annotations(),
                eligibility(reader, metadata, reader.object(template, "spec")));
    }

    private static long replicas(WorkloadKind kind, Fields reader, ObjectNode json, ObjectNode spec) {
        return switch (kind) {
            case DEPLOYMENT, REPLICA_SET, STATEFUL_SET -> ReplicaCount.of(reader.findCount(spec, "replicas"));
            case DAEMON_SET ->
                ReplicaCount.of(reader.findCount(reader.object(json, "status"), "desiredNumberScheduled"));
            case JOB, CRON_JOB ->
                ReplicaCount.ofJob(reader.findCount(spec, "completions"), reader.findCount(spec, "parallelism"));
            case CLONE_SET, ADVANCED_STATEFUL_SET -> 0;
        };
    }

    private static Eligibility eligibility(Fields reader, ObjectMeta metadata, ObjectNode podSpec) {
        if (metadata.terminating()) {
            return Eligibility.LEAVING;
        }
        if (reader.flag(podSpec, "hostNetwork")) {
            return Eligibility.HOST_NETWORK;
        }
        return metadata.isControlledBy(CONTROLLERS) ? Eligibility.CONTROLLED : Eligibility.SERVED;
    }
}
