package io.cadastre.cni.runtime;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The folders in which plugins are looked for, in order.
public record PluginPath(List<String> folders) {

    public PluginPath {
        folders = List.copyOf(folders);
    }

    /// Reads folders that are divided by colons, as in `CNI_PATH`.
    public static PluginPath parse(String text) {
        return new PluginPath(text.isEmpty() ? List.of() : Arrays.asList(text.split(":", -1)));
    }

    /// The first file of this name. Whether it can be executed is not asked here.
    ///
    /// @throws CniException if there is none
    public Path find(String type) {
        if (type.isEmpty()) {
            throw new CniException(CniCode.UNKNOWN, "no plugin name provided");
        }
        if (type.contains("/")) {
            throw new CniException(CniCode.UNKNOWN, "invalid plugin name: " + type);
        }
        if (folders.isEmpty()) {
            throw new CniException(CniCode.UNKNOWN, "no paths provided");
        }
        for (var folder : folders) {
            try {
                var file = Path.of(folder, type);
                if (Files.isRegularFile(file)) {
                    return file;
                }
            } catch (InvalidPathException _) {
                // There is no such file, then.
            }
        }
        throw new CniException(
                CniCode.UNKNOWN,
                "failed to find plugin %s in path %s".formatted(GoText.quote(type), GoText.list(folders)));
    }

    /// As it stands in `CNI_PATH`.
    public String text() {
        return String.join(":", folders);
    }
}
