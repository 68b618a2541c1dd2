package io.cadastre.cli.run;

import io.cadastre.agent.AgentSettings;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.cni.doorbell.DoorbellSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/// Where an agent listens.
public final class AgentOptions {

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            defaultValue = "",
            description = {
                "Socket on which the agent serves plugins.",
                "Default: /run/cadastre/agent.sock as root; otherwise agent.sock in the data directory."
            })
    private String socket = "";

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            defaultValue = "",
            description = {
                "Directory where plugins store DEL calls while no agent runs.",
                "Default: /var/lib/cadastre/spool as root; otherwise spool in the data directory."
            })
    private String spool = "";

    /// The settings that plugins get as well.
    public DoorbellSettings doorbell(StoreOptions store, Map<String, String> environment) {
        boolean root = isRoot();
        return DoorbellSettings.of(
                place("--socket", socket, root, DoorbellSettings.SOCKET, store, environment),
                place("--spool", spool, root, DoorbellSettings.SPOOL, store, environment));
    }

    private static Path place(
            String option,
            String given,
            boolean root,
            Path ofRoot,
            StoreOptions store,
            Map<String, String> environment) {
        if (!given.isEmpty()) {
            return path(option, given);
        }
        return root ? ofRoot : store.dataDirectory(environment).resolve(ofRoot.getFileName());
    }

    static Path path(String option, String given) {
        if (given.indexOf('\n') >= 0 || given.indexOf('\0') >= 0) {
            throw new UsageException("%s is not a valid path".formatted(option));
        }
        return Path.of(given).toAbsolutePath().normalize();
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    AgentSettings settings(StoreOptions store, Map<String, String> environment) {
        var places = doorbell(store, environment);
        return AgentSettings.of(places.socket(), places.spool());
    }
}
