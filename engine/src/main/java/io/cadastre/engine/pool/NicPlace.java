package io.cadastre.engine.pool;

/// The node of a pod and the name of one of its interfaces. What is not known is empty.
public record NicPlace(String node, String nic) {

    public static final NicPlace UNKNOWN = new NicPlace("", "");
}
