package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A folder with plugins that are shell scripts, the configuration of networks, a cache, and a record of
/// every call.
final class RuntimeFixture {

    /// Longer than any of these scripts takes on a busy machine.
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Path folder;

    RuntimeFixture(Path folder) {
        this.folder = folder;
        for (var name : List.of("bin", "net.d", "calls")) {
            make(folder.resolve(name));
        }
    }

    /// What a plugin was called with.
    record Call(String plugin, String verb, Map<String, String> environment, String stdin) {

        String variable(String name) {
            return environment.getOrDefault(name, "(unset)");
        }
    }

    Path bin() {
        return folder.resolve("bin");
    }

    Path networks() {
        return folder.resolve("net.d");
    }

    Path cacheFolder() {
        return folder.resolve("cache");
    }

    Path cacheFile(String name) {
        return cacheFolder().resolve("results").resolve(name);
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    static Deadline soon() {
        return Deadline.after(LONG);
    }

    /// A plugin that records its call and then does what the script says.
    Path plugin(String type, String script) {
        var text = """
            #!/bin/sh
            calls='%s'
            call="$calls/$(printf '%%03d' "$(ls "$calls" | wc -l)")"
            mkdir "$call"
            basename "$0" > "$call/plugin"
            env > "$call/env"
            cat > "$call/stdin"
            %s
            """.formatted(folder.resolve("calls"), script);
        return script(type, text);
    }

    /// A plugin that answers ADD with a document and all else with success.
    Path answering(String type, String document) {
        return plugin(type, """
            if [ "$CNI_COMMAND" = ADD ]; then
            cat <<'END'
            %s
            END
            fi
            """.formatted(document));
    }

    /// A plugin that answers VERSION with these.
    Path supporting(String type, String... versions) {
        return plugin(
                type,
                "echo '{\"cniVersion\":\"1.1.0\",\"supportedVersions\":[\"%s\"]}'"
                        .formatted(String.join("\",\"", versions)));
    }

    Path script(String type, String text) {
        var file = bin().resolve(type);
        write(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IllegalStateException("cannot make executable " + file);
        }
        return file;
    }

    Path network(String file, String text) {
        var path = networks().resolve(file);
        make(path.resolve("..").normalize());
        write(path, text);
        return path;
    }

    CniRuntime runtime() {
        return runtime(Map.of("PATH", "/usr/bin:/bin"));
    }

    CniRuntime runtime(Map<String, String> environment) {
        return new CniRuntime(path(), runner(environment), new ResultCache(cacheFolder()));
    }

    PluginPath path() {
        return new PluginPath(List.of(bin().toString()));
    }

    static PluginRunner runner(Map<String, String> environment) {
        return new PluginRunner(environment, _ -> {}, _ -> {
            throw new AssertionError("no program is busy");
        });
    }

    /// Every call of a recording plugin, in order.
    List<Call> calls() {
        try (Stream<Path> calls = Files.list(folder.resolve("calls"))) {
            return calls.sorted().map(RuntimeFixture::call).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// The calls as `plugin VERB`.
    List<String> order() {
        return calls().stream().map(call -> call.plugin() + " " + call.verb()).toList();
    }

    void forgetCalls() {
        for (var call : entries(folder.resolve("calls"))) {
            for (var file : entries(call)) {
                delete(file);
            }
            delete(call);
        }
    }

    private static Call call(Path folder) {
        var environment = new TreeMap<String, String>();
        for (var line : read(folder.resolve("env")).lines().toList()) {
            int equals = line.indexOf('=');
            if (equals > 0 && environment.put(line.substring(0, equals), line.substring(equals + 1)) != null) {
                throw new AssertionError("set twice: " + line);
            }
        }
        return new Call(
                read(folder.resolve("plugin")).strip(),
                environment.getOrDefault("CNI_COMMAND", ""),
                environment,
                read(folder.resolve("stdin")));
    }

    static List<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return new ArrayList<>(entries.sorted().toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Bytes bytes(String resource) {
        try (var stream = RuntimeFixture.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("there is no " + resource);
            }
            return Bytes.of(stream.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    static void make(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
