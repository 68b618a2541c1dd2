package io.cadastre.wire.cni;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Which names a container, a network and an interface may have.
public final class CniNames {

    private static final int INTERFACE_BYTES_MAX = 15;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.\\-]*");
    private static final Pattern CALICO_NETWORK = Pattern.compile("[a-zA-Z0-9_.\\-]+");

    private CniNames() {}

    /// Accepts what may name a container.
    ///
    /// @throws CniException if it is not one
    public static void checkContainerId(String id) {
        if (id.isEmpty()) {
            throw new CniException(CniCode.UNKNOWN_CONTAINER, "missing containerID");
        }
        if (!NAME.matcher(id).matches()) {
            throw new CniException(CniCode.INVALID_ENVIRONMENT, "invalid characters in containerID", id);
        }
    }

    /// Accepts what may name a network.
    ///
    /// @throws CniException if it is not one
    public static void checkNetworkName(String name) {
        if (name.isEmpty()) {
            throw new CniException(CniCode.INVALID_NETWORK_CONFIG, "missing network name:");
        }
        if (!NAME.matcher(name).matches()) {
            throw new CniException(CniCode.INVALID_NETWORK_CONFIG, "invalid characters found in network name", name);
        }
    }

    /// What Calico asks of the name of a network beside that.
    ///
    /// @throws CniException if it is not one
    public static void checkCalicoNetworkName(String name) {
        if (!CALICO_NETWORK.matcher(name).matches()) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "invalid characters detected in the given network name. Only letters a-z,"
                            + " numbers 0-9, and symbols _.- are supported");
        }
    }

    /// Accepts what may name an interface.
    ///
    /// @throws CniException if the kernel would not take it, or takes it for something else
    public static void checkInterfaceName(String name) {
        if (name.isEmpty()) {
            throw new CniException(CniCode.INVALID_ENVIRONMENT, "interface name is empty");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > INTERFACE_BYTES_MAX) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT,
                    "interface name is too long",
                    "interface name should be less than %d characters".formatted(INTERFACE_BYTES_MAX + 1));
        }
        if (name.equals(".") || name.equals("..")) {
            throw new CniException(CniCode.INVALID_ENVIRONMENT, "interface name is . or ..");
        }
        if (name.codePoints().anyMatch(c -> c == '/' || c == ':' || isSpace(c))) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT, "interface name contains / or : or whitespace characters");
        }
    }

    /// White space as Unicode has it. Java's own notions leave out the no-break spaces, or add the
    /// separators of information.
    private static boolean isSpace(int c) {
        return (c >= '\t' && c <= '\r')
                || c == 0x85
                || Character.getType(c) == Character.SPACE_SEPARATOR
                || Character.getType(c) == Character.LINE_SEPARATOR
                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
    }
}
