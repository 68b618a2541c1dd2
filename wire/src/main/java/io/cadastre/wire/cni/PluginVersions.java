package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.datastore.Bytes;
import java.util.List;

/// What a plugin answers to VERSION.
public record PluginVersions(String cniVersion, List<String> supportedVersions) {

    /// What the oldest plugins support: they do not know the verb.
    public static final PluginVersions BEFORE_VERSION =
            new PluginVersions(CniVersion.OLDEST, List.of(CniVersion.OLDEST));

    private static final String FIRST_WITH_VERSION = "0.2.0";

    public PluginVersions {
        supportedVersions = List.copyOf(supportedVersions);
    }

    /// Reads what a plugin printed.
    ///
    /// @throws CniException if it is not one
    public static PluginVersions parse(Bytes printed) {
        try {
            var members = Members.parse(printed);
            return checked(members.text("cniVersion"), members.texts("supportedVersions"));
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.DECODING_FAILURE, "decoding version info: ");
        }
    }

    private static PluginVersions checked(String version, List<String> supported) {
        if (version.isEmpty()) {
            throw new CniException(CniCode.DECODING_FAILURE, "missing field cniVersion");
        }
        if (!supported.isEmpty()) {
            return new PluginVersions(version, supported);
        }
        if (version.equals(FIRST_WITH_VERSION)) {
            return new PluginVersions(version, List.of(CniVersion.OLDEST, FIRST_WITH_VERSION));
        }
        throw new CniException(CniCode.DECODING_FAILURE, "missing field supportedVersions");
    }

    /// On one line, with a line end.
    public String print() {
        var tree = JsonNodeFactory.instance.objectNode().put("cniVersion", cniVersion);
        var list = tree.putArray("supportedVersions");
        supportedVersions.forEach(list::add);
        return CniJson.compact(tree) + "\n";
    }
}
