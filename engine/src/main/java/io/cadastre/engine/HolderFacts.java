package io.cadastre.engine;

/// What an engine knows of a holder, for people to find it by. What it does not know is empty.
///
/// @param namespace that of the pod
/// @param pod its name in the namespace
/// @param uid that of the pod
/// @param node the node that holds it, or that the pod runs on
/// @param networkInterface the name of the pod's interface
/// @param handle what the address can be released by; for host-local the container
public record HolderFacts(
        String namespace, String pod, String uid, String node, String networkInterface, String handle) {

    public static final HolderFacts NONE = new HolderFacts("", "", "", "", "", "");

    public static HolderFacts ofNode(String name) {
        return NONE.withNode(name);
    }

    public static HolderFacts ofPod(String namespace, String name) {
        return new HolderFacts(namespace, name, "", "", "", "");
    }

    public HolderFacts withUid(String other) {
        return new HolderFacts(namespace, pod, other, node, networkInterface, handle);
    }

    public HolderFacts withNode(String other) {
        return new HolderFacts(namespace, pod, uid, other, networkInterface, handle);
    }

    public HolderFacts withNetworkInterface(String other) {
        return new HolderFacts(namespace, pod, uid, node, other, handle);
    }

    public HolderFacts withHandle(String other) {
        return new HolderFacts(namespace, pod, uid, node, networkInterface, other);
    }
}
