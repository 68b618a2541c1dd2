package io.cadastre.agent.spiderpool;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.datastore.PeerProcess;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.VethEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A pod with an interface that is down yet, as a main plugin leaves it when it asks for addresses, and a
/// neighbour at the other end of the wire.
final class PodNetwork implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    /// Administration of the network and of mounts, and raw packets.
    private static final long CAPABILITIES = 1L << 12 | 1L << 13 | 1L << 21;

    private static final String NEIGHBOURS_LINK = "far";

    private final Deque<Runnable> undoing = new ArrayDeque<>();
    private final String neighbourName;
    private final Namespace pod;
    private final Netlink inPod;
    private final Netlink atNeighbour;

    private PodNetwork() {
        pod = namespace(freshName());
        neighbourName = freshName();
        var neighbour = namespace(neighbourName);
        inPod = netlink(pod);
        atNeighbour = netlink(neighbour);
        inPod.links().createVeth(VethEnd.named("eth0"), VethEnd.named(NEIGHBOURS_LINK), neighbour);
        atNeighbour.links().setUp(neighboursLink());
    }

    /// Ends the test, as not run, where the kernel would not let us.
    static PodNetwork open() {
        assumeTrue(mayDoAll(), "not root: namespaces cannot be made");
        return new PodNetwork();
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

    private static String freshName() {
        return "cadastre-s%d-%d".formatted(ProcessHandle.current().pid(), COUNTER.incrementAndGet());
    }

    private Namespace namespace(String name) {
        var namespace = Namespace.create(name);
        undoing.push(() -> {
            namespace.close();
            Namespace.delete(name);
        });
        return namespace;
    }

    private Netlink netlink(Namespace namespace) {
        var netlink = Netlink.open(namespace);
        undoing.push(netlink::close);
        return netlink;
    }

    private int neighboursLink() {
        return atNeighbour.links().find(NEIGHBOURS_LINK).orElseThrow().index();
    }

    /// The neighbour has the address, and answers for it.
    PodNetwork neighbourHas(String text) {
        var address = Address.parse(text);
        var given = LinkAddress.within(neighboursLink(), address, address.family() == Family.IPV4 ? 16 : 64);
        // Otherwise it would be of no use until the kernel has asked around.
        atNeighbour.addresses().add(given.with(LinkAddress.Flag.NO_DAD));
        return this;
    }

    PodNetwork neighbourIsDown() {
        atNeighbour.links().setDown(neighboursLink());
        return this;
    }

    void setNeighbourUp() {
        atNeighbour.links().setUp(neighboursLink());
    }

    /// The neighbour takes another for the holder of the address. Ends the test, as not run, where there
    /// is no `ip` to tell it so.
    PodNetwork neighbourRemembers(String address, String mac) {
        ip("neigh", "replace", address, "lladdr", mac, "dev", NEIGHBOURS_LINK, "nud", "stale");
        return this;
    }

    /// Whom the neighbour takes for the holder of the address.
    String rememberedByNeighbour(String address) {
        return ip("neigh", "show", address);
    }

    private String ip(String... words) {
        assumeTrue(PeerProcess.onThePath("ip"), "no ip on the PATH");
        var command = new ArrayList<>(List.of("ip", "-n", neighbourName));
        command.addAll(List.of(words));
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("%s: %s".formatted(command, output));
            }
            return output;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    MacAddress neighboursMac() {
        return atNeighbour.links().find(NEIGHBOURS_LINK).orElseThrow().mac();
    }

    MacAddress podsMac() {
        return inPod.links().find("eth0").orElseThrow().mac();
    }

    boolean podIsUp() {
        return inPod.links().find("eth0").orElseThrow().up();
    }

    void setPodUp() {
        inPod.links().setUp(inPod.links().find("eth0").orElseThrow().index());
    }

    String podsPath() {
        return pod.path();
    }

    @Override
    public void close() {
        undoing.forEach(Runnable::run);
    }
}
