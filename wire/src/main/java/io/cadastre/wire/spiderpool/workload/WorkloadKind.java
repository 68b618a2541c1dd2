package io.cadastre.wire.spiderpool.workload;

import io.cadastre.engine.pool.subnet.OwnerApplication;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A kind of applications that can be looked for.
public enum WorkloadKind {
    DEPLOYMENT("apps/v1", "Deployment", "deployments", Maker.CONTROLLER),
    REPLICA_SET("apps/v1", "ReplicaSet", "replicasets", Maker.CONTROLLER),
    STATEFUL_SET("apps/v1", "StatefulSet", "statefulsets", Maker.CONTROLLER),
    DAEMON_SET("apps/v1", "DaemonSet", "daemonsets", Maker.CONTROLLER),
    JOB("batch/v1", "Job", "jobs", Maker.CONTROLLER),
    CRON_JOB("batch/v1", "CronJob", "cronjobs", Maker.CONTROLLER),

    /// Those of OpenKruise.
    CLONE_SET("apps.kruise.io/v1alpha1", "CloneSet", "clonesets", Maker.AGENT),
    ADVANCED_STATEFUL_SET("apps.kruise.io/v1beta1", "StatefulSet", "statefulsets", Maker.AGENT);

    /// The versions of the kinds of Kubernetes itself. What is of another one is a third party's.
    private static final List<String> NATIVE_VERSIONS = List.of("v1", "apps/v1", "batch/v1");

    private final String apiVersion;
    private final String kind;
    private final String plural;
    private final Maker maker;

    WorkloadKind(String apiVersion, String kind, String plural, Maker maker) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.plural = plural;
        this.maker = maker;
    }

    /// Which process makes its pools.
    public enum Maker {
        CONTROLLER,
        AGENT
    }

    /// Those whose pools the controller makes.
    public static List<WorkloadKind> watched() {
        return Arrays.stream(values())
                .filter(kind -> kind.maker == Maker.CONTROLLER)
                .toList();
    }

    public static Optional<WorkloadKind> find(OwnerApplication application) {
        return Arrays.stream(values())
                .filter(kind ->
                        kind.apiVersion.equals(application.apiVersion()) && kind.kind.equals(application.kind()))
                .findFirst();
    }

    /// Whether a version is that of a kind of Kubernetes itself.
    public static boolean isNative(String apiVersion) {
        return NATIVE_VERSIONS.contains(apiVersion);
    }

    public Maker maker() {
        return maker;
    }

    /// As documents name it.
    public String word() {
        return kind;
    }

    public String plural() {
        return plural;
    }

    /// What the keys of its documents begin with.
    public String keys() {
        return "/cadastre/apis/%s/%s/".formatted(apiVersion, plural);
    }

    /// The key of the document of an application of this kind.
    public String key(OwnerApplication application) {
        return "%s%s/%s".formatted(keys(), application.namespace(), application.name());
    }

    /// The application under a key, which is a namespace, a slash and a name after [#keys()]; empty if it is something
    /// else.
    public Optional<OwnerApplication> application(String key) {
        var parts = key.substring(keys().length()).split("/", -1);
        return parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty()
                ? Optional.of(new OwnerApplication(apiVersion, kind, parts[0], parts[1]))
                : Optional.empty();
    }
}
