package io.cadastre.wire.spiderpool.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.ReplicaCount;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
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
        var metadata = reader.object(json, "metadata");
        var spec = reader.object(json, "spec");
        var jobSpec = kind == WorkloadKind.CRON_JOB ? reader.object(reader.object(spec, "jobTemplate"), "spec") : spec;
        var template = reader.object(jobSpec, "template");
        return new WorkloadDocument(
                application,
                reader.text(metadata, "uid"),
                replicas(kind, reader, json, jobSpec),
                reader.textMap(reader.object(template, "metadata"), "annotations"),
                eligibility(reader, metadata, reader.object(template, "spec")));
    }

    private static long replicas(WorkloadKind kind, Fields reader, ObjectNode json, ObjectNode spec) {
        return switch (kind) {
            case DEPLOYMENT, REPLICA_SET, STATEFUL_SET -> ReplicaCount.of(number(reader, spec, "replicas"));
            case DAEMON_SET -> ReplicaCount.of(number(reader, reader.object(json, "status"), "desiredNumberScheduled"));
            case JOB, CRON_JOB ->
                ReplicaCount.ofJob(number(reader, spec, "completions"), number(reader, spec, "parallelism"));
            case CLONE_SET, ADVANCED_STATEFUL_SET -> 0;
        };
    }

    private static OptionalLong number(Fields reader, ObjectNode parent, String name) {
        return Fields.absent(parent.path(name)) ? OptionalLong.empty() : OptionalLong.of(reader.count(parent, name));
    }

    private static Eligibility eligibility(Fields reader, ObjectNode metadata, ObjectNode podSpec) {
        if (metadata.hasNonNull("deletionTimestamp")) {
            return Eligibility.LEAVING;
        }
        if (reader.flag(podSpec, "hostNetwork")) {
            return Eligibility.HOST_NETWORK;
        }
        boolean controlled = reader.array(metadata, "ownerReferences")
                .valueStream()
                .anyMatch(owner -> owner.path("controller").asBoolean()
                        && CONTROLLERS.contains(owner.path("kind").asText()));
        return controlled ? Eligibility.CONTROLLED : Eligibility.SERVED;
    }
}
