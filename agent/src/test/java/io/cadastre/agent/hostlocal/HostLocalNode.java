package io.cadastre.agent.hostlocal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Withdrawal;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces.Relation;
import io.cadastre.wire.cni.StdinSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A node on which a runtime calls the plugin, with a folder for its networks.
///
/// @param dataDir where the networks are kept
record HostLocalNode(Path dataDir, HostLocal plugin) {

    static final Duration LOCK_MAX = Duration.ofSeconds(60);

    static HostLocalNode in(Path dataDir) {
        return new HostLocalNode(
                dataDir,
                new HostLocal(
                        LOCK_MAX,
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(Instant.EPOCH),
                        AgentHome.of("a")));
    }

    /// A configuration of the network `net`.
    ///
    /// @param ipam members of `ipam`
    String config(String version, String ipam) {
        return config(version, "net", ipam, "");
    }

    /// @param more members beside `ipam`, each after a comma
    String config(String version, String network, String ipam, String more) {
        return """
            {"cniVersion": "%s", "name": "%s", "type": "macvlan",
             "ipam": {"type": "host-local", "dataDir": "%s", %s}%s}
            """.formatted(version, network, dataDir, ipam, more);
    }

    CniAnswer call(CniVerb verb, String container, String config) {
        return call(verb, environment(verb, container, "eth0", ""), config);
    }

    CniAnswer call(CniVerb verb, Map<String, String> environment, String config) {
        return plugin.forCall(new Withdrawal())
                .answer(environment, StdinSource.of(Bytes.ofUtf8(config)), _ -> Relation.OTHER);
    }

    static Map<String, String> environment(CniVerb verb, String container, String ifname, String args) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", container);
        environment.put("CNI_NETNS", "/some/where");
        environment.put("CNI_IFNAME", ifname);
        environment.put("CNI_PATH", "/some/where");
        environment.put("CNI_ARGS", args);
        return environment;
    }

    /// The result of an ADD that succeeds.
    CniResult add(String container, String config) {
        return result(call(CniVerb.ADD, container, config));
    }

    static CniResult result(CniAnswer answer) {
        if (answer.exitCode() != 0) {
            throw new AssertionError(text(answer.stdout()));
        }
        return CniResult.parse(answer.stdout());
    }

    /// The addresses of an ADD that succeeds.
    List<String> given(String container, String config) {
        return addresses(add(container, config));
    }

    static List<String> addresses(CniResult result) {
        return result.ips().stream().map(ip -> ip.address().ip().toString()).toList();
    }

    /// The error of a call that fails, without the command that explains it.
    CniError refusal(CniVerb verb, String container, String config) {
        return error(call(verb, container, config));
    }

    static CniError error(CniAnswer answer) {
        if (answer.exitCode() == 0) {
            throw new AssertionError("succeeded: " + text(answer.stdout()));
        }
        var error = CniError.parse(answer.stdout());
        return error.details().startsWith("to see why, run: cadastre explain cni add ")
                        || error.details().startsWith("to see why, run: CNI_ARGS=")
                ? new CniError(error.code(), error.msg(), "")
                : error;
    }

    void del(String container, String config) {
        succeed(CniVerb.DEL, container, config);
    }

    /// A call that succeeds and prints nothing.
    void succeed(CniVerb verb, String container, String config) {
        var answer = call(verb, container, config);
        if (answer.exitCode() != 0 || answer.stdout().size() != 0) {
            throw new AssertionError(text(answer.stdout()));
        }
    }

    Path file(String name) {
        return dataDir.resolve("net").resolve(name);
    }

    String content(String name) throws IOException {
        return Files.readString(file(name), UTF_8);
    }

    HostLocalNode write(String name, String content) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file(name).getParent()));
        Files.writeString(file(name), content);
        return this;
    }

    String mode(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file(name)));
    }

    /// The names of what lies in the folder of the network, in order.
    List<String> names() throws IOException {
        try (var paths = Files.list(dataDir.resolve("net"))) {
            return paths.map(path -> path.toFile().getName()).sorted().toList();
        }
    }

    private static String text(Bytes bytes) {
        return new String(bytes.toByteArray(), UTF_8);
    }
}
