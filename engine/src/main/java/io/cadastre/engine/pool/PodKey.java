package io.cadastre.engine.pool;

/// The name of a pod, and of its endpoint.
public record PodKey(String namespace, String name) implements Comparable<PodKey> {

    /// As pools record it.
    @Override
    public String toString() {
        return namespace + "/" + name;
    }

    @Override
    public int compareTo(PodKey other) {
        int order = namespace.compareTo(other.namespace);
        return order == 0 ? name.compareTo(other.name) : order;
    }
}
