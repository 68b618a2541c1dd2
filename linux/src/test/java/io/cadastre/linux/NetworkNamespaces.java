package io.cadastre.linux;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Network namespaces for one test, which are gone after it.
public final class NetworkNamespaces implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    /// Administration of the network and of mounts, and raw packets.
    private static final long CAPABILITIES = 1L << 12 | 1L << 13 | 1L << 21;

    private final Deque<Runnable> undoing = new ArrayDeque<>();

    /// Ends the test, as not run, where the kernel would not let us.
    public static NetworkNamespaces open() {
        assumeTrue(mayDoAll(), "not root: namespaces cannot be made");
        return new NetworkNamespaces();
    }

    private static boolean mayDoAll() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapEff:"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .allMatch(held -> (held & CAPABILITIES) == CAPABILITIES);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// A name that no other test uses.
    static String freshName() {
        return "cadastre-%d-%d".formatted(ProcessHandle.current().pid(), COUNTER.incrementAndGet());
    }

    Namespace namespace() {
        var name = freshName();
        var namespace = Namespace.create(name);
        undoing.push(() -> {
            namespace.close();
            Namespace.delete(name);
        });
        return namespace;
    }

    Netlink netlink(Namespace namespace) {
        var netlink = Netlink.open(namespace);
        undoing.push(netlink::close);
        return netlink;
    }

    /// Two namespaces with a wire between them, both ends up.
    public Wire wire() {
        var here = namespace();
        var there = namespace();
        var hereLinks = netlink(here);
        var thereLinks = netlink(there);
        setLoopbackUp(hereLinks);
        setLoopbackUp(thereLinks);
        hereLinks.links().createVeth(VethEnd.named("left"), VethEnd.named("right"), there);
        var wire = new Wire(here, hereLinks, there, thereLinks);
        hereLinks.links().setUp(wire.left().index());
        thereLinks.links().setUp(wire.right().index());
        return wire;
    }

    private static void setLoopbackUp(Netlink netlink) {
        netlink.links().setUp(netlink.links().find("lo").orElseThrow().index());
    }

    @Override
    public void close() {
        undoing.forEach(Runnable::run);
    }

    public static Address address(String text) {
        return Address.parse(text);
    }

    static Prefix prefix(String text) {
        return Prefix.parse(text);
    }

    public static MacAddress mac(String text) {
        return MacAddress.parse(text);
    }

    /// What a program prints, which must succeed. Ends the test, as not run, where there is no such program.
    static String run(String... words) {
        assumeTrue(onThePath(words[0]), "no %s on the PATH".formatted(words[0]));
        try {
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("%s: %s".formatted(List.of(words), output));
            }
            return output;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static boolean onThePath(String program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /// Runs `ip` in a namespace.
    public static String ip(Namespace namespace, String... words) {
        var command = new ArrayList<>(List.of("ip", "-n"));
        command.add(Path.of(namespace.path()).getFileName().toString());
        command.addAll(List.of(words));
        return run(command.toArray(String[]::new));
    }

    /// Two namespaces and their ends of the wire between them.
    public record Wire(Namespace here, Netlink onHere, Namespace there, Netlink onThere) {

        public Link left() {
            return onHere.links().find("left").orElseThrow();
        }

        public Link right() {
            return onThere.links().find("right").orElseThrow();
        }
    }
}
