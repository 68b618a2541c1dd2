package io.cadastre.agent.hostlocal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniVerb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The reference plugin, as its package installs it.
record Reference(Path program) {

    private static final List<Path> PLACES =
            List.of(Path.of("/usr/lib/cni/host-local"), Path.of("/opt/cni/bin/host-local"));

    /// The installed one; a test that needs it is not run where there is none.
    static Reference installed() {
        Optional<Path> program = PLACES.stream().filter(Files::isExecutable).findFirst();
        assumeTrue(program.isPresent(), "no host-local of containernetworking-plugins");
        return new Reference(program.get());
    }

    CniAnswer call(CniVerb verb, String container, String config) throws IOException, InterruptedException {
        return call(HostLocalNode.environment(verb, container, "eth0", ""), config);
    }

    CniAnswer call(Map<String, String> environment, String config) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(program.toString());
        builder.environment().clear();
        builder.environment().putAll(environment);
        var process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(config.getBytes(UTF_8));
        }
        var stdout = process.getInputStream().readAllBytes();
        return new CniAnswer(Bytes.of(stdout), Bytes.ofUtf8(""), process.waitFor());
    }
}
