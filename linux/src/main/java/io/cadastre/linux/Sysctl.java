package io.cadastre.linux;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SequencedMap;

/// The kernel settings of one namespace.
///
/// A setting is named by its path below `/proc/sys`: `net/ipv4/conf/eth0.100/proxy_arp`. The dots of
/// an interface name are safe there, which they are not in the other way of writing.
public final class Sysctl {

    private static final String FOLDER = "/proc/sys/";
    private static final int VALUE_BYTES_MAX = 65_536;

    private final Namespace namespace;

    public Sysctl(Namespace namespace) {
        this.namespace = namespace;
    }

    /// The value, without the line break at its end.
    ///
    /// @throws LinuxException with `ENOENT` if there is no such setting
    public String read(String name) {
        check(name);
        return namespace.inside(() -> readHere(name));
    }

    /// Writes the value.
    ///
    /// @throws LinuxException with `ENOENT` if there is no such setting, with `EINVAL` if the kernel does
    ///     not want the value
    public void write(String name, String value) {
        check(name);
        namespace.inside(() -> writeHere(name, value));
    }

    /// Writes one after the other in one visit to the namespace. The first that fails ends it; the
    /// exception names the setting.
    public void writeAll(SequencedMap<String, String> values) {
        values.keySet().forEach(Sysctl::check);
        namespace.inside(() -> values.forEach(Sysctl::writeHere));
    }

    private static String readHere(String name) {
        var operation = "read " + FOLDER + name;
        try (var file = open(operation, name, LibC.O_RDONLY)) {
            var value = file.ask(number -> LibC.read(operation, number, VALUE_BYTES_MAX));
            return new String(value, StandardCharsets.UTF_8).stripTrailing();
        }
    }

    private static void writeHere(String name, String value) {
        var operation = "write %s to %s%s".formatted(Quote.of(value), FOLDER, name);
        try (var file = open(operation, name, LibC.O_WRONLY)) {
            file.use(number -> LibC.write(operation, number, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static Descriptor open(String operation, String name, int flags) {
        return new Descriptor(name, LibC.open(operation, FOLDER + name, flags, 0));
    }

    private static void check(String name) {
        var parts = List.of(name.split("/", -1));
        if (parts.contains("") || parts.contains(".") || parts.contains("..")) {
            throw new IllegalArgumentException("%s is not the name of a kernel setting".formatted(Quote.of(name)));
        }
    }
}
