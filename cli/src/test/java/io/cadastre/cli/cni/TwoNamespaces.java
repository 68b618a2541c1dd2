package io.cadastre.cli.cni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.linux.Link;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.VethEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Two network namespaces for one test, made and probed by system calls, so that a machine needs neither
/// `ip` nor `ping`.
final class TwoNamespaces implements AutoCloseable {

    private static final int ATTEMPTS_MAX = 5;
    private static final int ATTEMPT_MILLIS = 1_000;

    private final List<String> names = new ArrayList<>();
    private final Deque<Runnable> undoing = new ArrayDeque<>();
    private final Namespace host = Namespace.current();
    private final Netlink onHost = Netlink.open(host);

    private TwoNamespaces(List<String> words) {
        undoing.push(host::close);
        undoing.push(onHost::close);
        for (var word : words) {
            var name = "cadastre-%s-%d".formatted(word, ProcessHandle.current().pid());
            Namespace.create(name).close();
            undoing.push(() -> Namespace.delete(name));
            names.add(name);
        }
    }

    /// Ends the test, as not run, where the kernel does not allow it.
    static TwoNamespaces open(String first, String second) {
        assumeTrue("root".equals(System.getProperty("user.name")), "not root: namespaces cannot be made");
        return new TwoNamespaces(List.of(first, second));
    }

    List<String> paths() {
        return names.stream().map(name -> Namespace.named(name).toString()).toList();
    }

    /// Whether a datagram of the first namespace reaches an address of the second, and the reply comes
    /// back.
    boolean firstReachesSecond(String address) throws IOException {
        var second = new InetSocketAddress(InetAddress.ofLiteral(address), 0);
        try (var server = channel(1).bind(second);
                var client = channel(0).connect(server.getLocalAddress())) {
            for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
                client.write(ByteBuffer.wrap(new byte[] {(byte) attempt}));
                if (echo(server) && receive(client)) {
                    return true;
                }
            }
            return false;
        }
    }

    /// A socket stays in the namespace in which it was opened.
    private DatagramChannel channel(int number) {
        try (var namespace = Namespace.open(paths().get(number))) {
            return namespace.inside(() -> {
                try {
                    return DatagramChannel.open(StandardProtocolFamily.INET);
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            });
        }
    }

    private static boolean echo(DatagramChannel server) throws IOException {
        var packet = new DatagramPacket(new byte[1], 1);
        server.socket().setSoTimeout(ATTEMPT_MILLIS);
        try {
            server.socket().receive(packet);
        } catch (SocketTimeoutException _) {
            return false;
        }
        server.send(ByteBuffer.wrap(packet.getData()), packet.getSocketAddress());
        return true;
    }

    private static boolean receive(DatagramChannel client) throws IOException {
        client.socket().setSoTimeout(ATTEMPT_MILLIS);
        try {
            client.socket().receive(new DatagramPacket(new byte[1], 1));
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }

    List<String> linksOfHost() {
        return onHost.links().list().stream().map(Link::name).toList();
    }

    /// A link of the host whose other end is up, for macvlan.
    String master(String prefix) {
        var master = linkThatIsDeleted(prefix);
        var peer = master + "p";
        onHost.links().createVeth(VethEnd.named(master), VethEnd.named(peer), host);
        for (var name : List.of(master, peer)) {
            onHost.links().setUp(onHost.links().find(name).orElseThrow().index());
        }
        return master;
    }

    /// A name for a link of the host. The link is deleted at the end, if a plugin made it.
    String linkThatIsDeleted(String prefix) {
        var name = "%s%d".formatted(prefix, ProcessHandle.current().pid() % 1_000_000);
        undoing.push(
                () -> onHost.links().find(name).ifPresent(link -> onHost.links().delete(link.index())));
        return name;
    }

    @Override
    public void close() {
        undoing.forEach(Runnable::run);
    }
}
