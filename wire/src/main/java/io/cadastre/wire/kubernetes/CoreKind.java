package io.cadastre.wire.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.GoStruct.Spelling;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The kinds of the core group that users write where there is no cluster, so that a pod can be served. A plain `node`
/// means Calico's, so the core one is called `node.v1`.
public final class CoreKind implements ResourceKind {

    public static final CoreKind NODE = new CoreKind(
            new ApiResource("", "v1", "nodes", "Node", Reach.CLUSTER, Removal.AT_ONCE),
            CoreKeys.NODES,
            ".v1",
            GoStruct.of("configSource", "externalID", "podCIDR", "podCIDRs", "providerID", "taints", "unschedulable"),
            PrinterColumn.always("PODCIDRS", "/spec/podCIDRs"));

    public static final CoreKind NAMESPACE = new CoreKind(
            new ApiResource("", "v1", "namespaces", "Namespace", Reach.CLUSTER, Removal.AT_ONCE),
            CoreKeys.NAMESPACES,
            "",
            GoStruct.of("finalizers"));

    public static final CoreKind POD = new CoreKind(
            new ApiResource("", "v1", "pods", "Pod", Reach.NAMESPACED, Removal.AT_ONCE, Rewriting.STATUS, ""),
            CoreKeys.PODS,
            "",
            GoStruct.of(
                    "activeDeadlineSeconds",
                    "affinity",
                    "automountServiceAccountToken",
                    "containers",
                    "dnsConfig",
                    "dnsPolicy",
                    "enableServiceLinks",
                    "ephemeralContainers",
                    "hostAliases",
                    "hostIPC",
                    "hostNetwork",
                    "hostPID",
                    "hostUsers",
                    "hostname",
                    "hostnameOverride",
                    "imagePullSecrets",
                    "initContainers",
                    "nodeName",
                    "nodeSelector",
                    "os",
                    "overhead",
                    "preemptionPolicy",
                    "priority",
                    "priorityClassName",
                    "readinessGates",
                    "resourceClaims",
                    "resources",
                    "restartPolicy",
                    "runtimeClassName",
                    "schedulerName",
                    "schedulingGates",
                    "securityContext",
                    "serviceAccount",
                    "serviceAccountName",
                    "setHostnameAsFQDN",
                    "shareProcessNamespace",
                    "subdomain",
                    "terminationGracePeriodSeconds",
                    "tolerations",
                    "topologySpreadConstraints",
                    "volumes"),
            PrinterColumn.always("STATUS", "/status/phase"),
            PrinterColumn.always("NODE", "/spec/nodeName"));

    public static final List<CoreKind> ALL = List.of(NODE, NAMESPACE, POD);

    private final ApiResource resource;
    private final String suffix;
    private final Traits traits;

    private CoreKind(ApiResource resource, String keys, String suffix, GoStruct spec, PrinterColumn... columns) {
        this.resource = resource;
        this.suffix = suffix;
        var all = new ArrayList<>(List.of(columns));
        all.add(PrinterColumn.wide("CREATED", "/metadata/creationTimestamp"));
        this.traits = new Traits(
                resource.version(),
                resource.kind(),
                resource.plural() + suffix,
                List.of(keys),
                GoStruct.KUBERNETES_OBJECT.with("spec", spec).with("status"),
                all);
    }

    /// As an API server has it.
    ApiResource resource() {
        return resource;
    }

    public boolean namespaced() {
        return resource.reach() == Reach.NAMESPACED;
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public String singular() {
        return ResourceKind.super.singular() + suffix;
    }

    @Override
    public Spelling spelling() {
        return Spelling.EXACT;
    }

    /// The name in commands: of a kind in namespaces, the namespace, a slash and the name.
    @Override
    public Optional<String> name(String key) {
        var keys = traits.keys().getFirst();
        return Optional.of(key)
                .filter(typed -> typed.startsWith(keys))
                .map(typed -> typed.substring(keys.length()))
                .filter(this::isName);
    }

    /// Whether an object may be called this in commands.
    public boolean isName(String name) {
        var parts = List.of(name.split("/", -1));
        return parts.size() == (namespaced() ? 2 : 1) && !parts.contains("");
    }

    public String key(String name) {
        return traits.keys().getFirst() + name;
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return Json.write(Json.readObject(key, value));
    }
}
