package io.cadastre.cli.run;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Controllers as processes, until they are closed.
///
/// @param home the folder that they work in
record ControllerProcesses(Path home, List<RunningProcess> running) implements AutoCloseable {

    static ControllerProcesses in(Path home) {
        return new ControllerProcesses(home, new ArrayList<>());
    }

    RunningProcess start(Shell shell, String identity, String grace, String... flags) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main",
                "controller",
                "--identity=" + identity,
                "--leak-grace-period=" + grace,
                "--listen=127.0.0.1:0"));
        command.addAll(List.of(flags));
        var process = RunningProcess.start(home, shell.environment(), command);
        running.add(process);
        return process;
    }

    @Override
    public void close() {
        running.forEach(RunningProcess::close);
    }
}
