package io.cadastre.agent.calico;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The handle of a virtual machine's addresses. It names no container, so that the next one finds them.
///
/// Calico tries to shorten a long one with a digest that has an underscore before it, and fails; no such
/// handle exists anywhere. Ours is one that every store takes. It cannot be another machine's, since it has
/// no dot behind `.vmi.`.
final class VirtualMachineHandle {

    static final int LENGTH_MAX = 128;

    private static final String DEFAULT_NETWORK = "k8s-pod-network";
    private static final int DIGITS = 40;

    private VirtualMachineHandle() {}

    static String of(String network, String namespace, String machine) {
        var prefix = (network.isEmpty() ? DEFAULT_NETWORK : network) + ".vmi.";
        var suffix = "%s.%s".formatted(namespace, machine);
        return prefix.length() + suffix.length() > LENGTH_MAX ? prefix + "x" + digest(suffix) : prefix + suffix;
    }

    private static String digest(String text) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
