package io.cadastre.wire.calico.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What the host's end of a workload's link is called. A link has at most 15 characters for it.
public final class HostLinkName {

    /// What all of them begin with unless the node is set up otherwise.
    public static final String PREFIX = "cali";

    private static final int TAIL = 11;

    private HostLinkName() {}

    /// For a pod, by its name: its next sandbox gets the same.
    public static String ofPod(String prefix, String namespace, String pod) {
        return prefix + hash("%s.%s".formatted(namespace, pod));
    }

    /// For any other container, by its id.
    public static String ofContainer(String containerId) {
        return PREFIX + containerId.substring(0, Math.min(TAIL, containerId.length()));
    }

    /// For a container whose id begins as another's does.
    public static String ofContainerByHash(String containerId) {
        return PREFIX + hash(containerId);
    }

    private static String hash(String name) {
        var digest = sha1(name.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest).substring(0, TAIL);
    }

    /// The first of the prefixes that a node is set up with, which are divided by commas.
    public static String firstPrefix(String setting) {
        var first = setting.split(",", -1)[0].strip();
        return first.isEmpty() ? PREFIX : first;
    }

    private static byte[] sha1(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-1", impossible);
        }
    }
}
