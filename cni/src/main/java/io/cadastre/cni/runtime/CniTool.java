package io.cadastre.cni.runtime;

import io.cadastre.cni.runtime.AttachmentRequest.Argument;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// How the tool of the reference code turns its input into a request.
public final class CniTool {

    public static final String IFNAME = "eth0";

    private static final int ID_BYTES = 10;

    private CniTool() {}

    /// The request for a namespace.
    ///
    /// @param netns the path of the namespace, absolute or not
    /// @param args the text of `CNI_ARGS`, every pair of which must be whole
    /// @param capabilityArgs the text of `CAP_ARGS`: nothing, or a JSON object
    /// @throws CniException if one of the texts is something else
    public static AttachmentRequest request(String netns, String ifname, String args, String capabilityArgs) {
        var absolute = Path.of(netns).toAbsolutePath().normalize().toString();
        return AttachmentRequest.of(containerId(absolute), absolute, ifname)
                .withArgs(arguments(args))
                .withCapabilityArgs(
                        capabilityArgs.isEmpty()
                                ? Members.of(Json.emptyObject())
                                : Members.parse(Bytes.ofUtf8(capabilityArgs)));
    }

    /// The container that is made up for a namespace.
    public static String containerId(String netns) {
        try {
            var hash = MessageDigest.getInstance("SHA-512").digest(netns.getBytes(StandardCharsets.UTF_8));
            return "cnitool-" + HexFormat.of().formatHex(Arrays.copyOf(hash, ID_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-512", impossible);
        }
    }

    private static List<Argument> arguments(String text) {
        var arguments = new ArrayList<Argument>();
        if (!text.isEmpty()) {
            for (var piece : text.split(";", -1)) {
                var pair = piece.split("=", -1);
                if (pair.length != 2 || pair[0].isEmpty() || pair[1].isEmpty()) {
                    throw new CniException(CniCode.UNKNOWN, "invalid CNI_ARGS pair " + GoText.quote(piece));
                }
                arguments.add(new Argument(pair[0], pair[1]));
            }
        }
        return arguments;
    }
}
