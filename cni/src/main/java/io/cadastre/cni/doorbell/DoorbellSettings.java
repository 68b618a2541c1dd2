package io.cadastre.cni.doorbell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Where a doorbell finds its agent, and how long it waits: what the file beside it says, each on a
/// line.
///
/// @param spool where a DEL is kept that the agent does not answer
/// @param callMax how long a call may take
/// @param delMax how long a DEL may take
public record DoorbellSettings(Path socket, Path spool, Duration callMax, Duration delMax) {

    /// The name of the file beside the program.
    public static final String FILE = "cadastre.conf";

    /// Where an agent that runs as root has its socket.
    public static final Path SOCKET = Path.of("/run/cadastre/agent.sock");

    public static final Path SPOOL = Path.of("/var/lib/cadastre/spool");

    private static final Duration CALL_MAX = Duration.ofSeconds(60);
    private static final Duration DEL_MAX = Duration.ofSeconds(30);

    public static DoorbellSettings of(Path socket, Path spool) {
        return new DoorbellSettings(socket, spool, CALL_MAX, DEL_MAX);
    }

    /// With the same limit for every verb.
    public DoorbellSettings within(Duration limit) {
        return new DoorbellSettings(socket, spool, limit, limit);
    }

    /// Reads what the file in the folder says. What it does not say is the default.
    static DoorbellSettings in(Path folder) throws IOException {
        var file = folder.resolve(FILE);
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        var settings = of(
                lines.isEmpty() ? SOCKET : Path.of(lines.getFirst()), lines.size() < 2 ? SPOOL : Path.of(lines.get(1)));
        return lines.size() < 3 ? settings : settings.within(Duration.ofMillis(Long.parseLong(lines.get(2))));
    }

    /// What the file is to say.
    public String text() {
        var lines = new ArrayList<>(List.of(socket.toString(), spool.toString()));
        if (!callMax.equals(CALL_MAX) || !delMax.equals(DEL_MAX)) {
            lines.add(Long.toString(callMax.toMillis()));
        }
        return String.join("\n", lines) + "\n";
    }
}
