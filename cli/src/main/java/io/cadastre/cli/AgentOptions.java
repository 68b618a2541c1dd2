package io.cadastre.cli;

import io.cadastre.agent.AgentSettings;
import io.cadastre.cni.doorbell.DoorbellSettings;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Where an agent listens.
final class AgentOptions {

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            defaultValue = "",
            description = {
                "Where plugins find the agent.",
                "Default: /run/cadastre/agent.sock as root, agent.sock in the data directory for"
                        + " others."
            })
    private String socket = "";

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            defaultValue = "",
            description = {
                "Where plugins leave a DEL while no agent runs.",
                "Default: /var/lib/cadastre/spool as root, spool in the data directory for others."
            })
    private String spool = "";

    /// What plugins are told, too.
    DoorbellSettings doorbell(StoreOptions store, Map<String, String> environment) {
        boolean root = isRoot();
        return DoorbellSettings.of(
                place("--socket", socket, root, DoorbellSettings.SOCKET, store, environment),
                place("--spool", spool, root, DoorbellSettings.SPOOL, store, environment));
    }

    private static Path place(
            String option,
            String said,
            boolean root,
            Path ofRoot,
            StoreOptions store,
            Map<String, String> environment) {
        if (!said.isEmpty()) {
            if (said.indexOf('\n') >= 0 || said.indexOf('\0') >= 0) {
                throw new UsageException("%s is no path".formatted(option));
            }
            return Path.of(said).toAbsolutePath().normalize();
        }
        return root ? ofRoot : store.dataDirectory(environment).resolve(ofRoot.getFileName());
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
