package io.cadastre.wire.calico.endpoint;

/// The keys of endpoints and profiles in etcd.
public final class EndpointKeys {

    private static final String RESOURCES = "/calico/resources/v3/projectcalico.org/";

    /// All endpoints, of all namespaces.
    public static final String ENDPOINTS = RESOURCES + "workloadendpoints/";

    public static final String PROFILES = RESOURCES + "profiles/";

    private EndpointKeys() {}

    /// The key of one endpoint.
    public static String endpoint(String namespace, EndpointName name) {
        return folder(namespace) + name.text();
    }

    /// What the keys of a workload's endpoints begin with.
    static String workload(String namespace, EndpointName name) {
        return folder(namespace) + name.prefix();
    }

    /// What the keys of a pod's endpoints on a node begin with.
    public static String ofPod(String namespace, String node, String pod) {
        return workload(namespace, new EndpointName(node, "k8s", pod, "any"));
    }

    public static String profile(String name) {
        return PROFILES + checked(name);
    }

    private static String folder(String namespace) {
        return ENDPOINTS + checked(namespace) + "/";
    }

    private static String checked(String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a name in a key is not empty and has no slash: '%s'".formatted(name));
        }
        return name;
    }
}
