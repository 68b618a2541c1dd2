package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.agent.Undelivered;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.Route;
import io.cadastre.linux.Sysctl;
import io.cadastre.linux.VethEnd;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.calico.endpoint.WorkloadEndpointDocument;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.StdinSource;
import io.cadastre.wire.kubernetes.NodeBook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A host with a default route, in a namespace of its own, with cadastre-net on it as node `node-1`.
/// Addresses come from calico-ipam or host-local, which the same agent would serve. Everything is gone
/// after the test.
final class NetNode implements AutoCloseable {

    static final String NODE = "node-1";
    static final String CLUSTER = "/calico/resources/v3/projectcalico.org/clusterinformations/default";

    private static final Duration AMPLE = Duration.ofSeconds(30);

    private static final AtomicInteger COUNTER = new AtomicInteger();

    /// Administration of the network and of mounts, and raw packets.
    private static final long CAPABILITIES = 1L << 12 | 1L << 13 | 1L << 21;

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    /// The kernel does some things on its own time.
    private static final Pause REAL =
            duration -> assertThat(new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS))
                    .isFalse();

    private final Deque<Runnable> undoing = new ArrayDeque<>();
    private final Map<String, String> files = new TreeMap<>();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final FailingEndpointStore store = new FailingEndpointStore(new MemoryDatastore());
    private final Path leases;
    private final Namespace host;
    private final Netlink onHost;

    /// Another node, at the other end of the host's uplink.
    private final House elsewhere;

    private final NamespaceCache namespaces;
    private final CalicoIpam ipam;
    private final CadastreNet net;

    private NetNode() {
        undoing.push(store::close);
        leases = folder();
        host = namespace();
        onHost = netlink(host);
        elsewhere = house();
        var context = new AgentContext(
                store, new Ledger(new MemoryJournal()), InstantSource.fixed(NOW), new SplittableRandom(1), REAL);
        namespaces = NamespaceCache.begin(store, REAL);
        undoing.push(namespaces::close);
        var pods = new StoredPods(store).with(namespaces);
        ipam = CalicoIpam.open(context, NODE, pods);
        undoing.push(ipam::close);
        net = new CadastreNet(
                context,
                ipam.gate(),
                new Host(
                        () -> Namespace.open(host.path()),
                        path -> Optional.ofNullable(files.get(path)),
                        ReadinessProbe.http(),
                        "cali",
                        log::add),
                pods,
                new PodAnnotations(store, new MergedPods(store), log::add),
                new ServedPlugins(
                        Map.of(
                                "calico-ipam",
                                ipam,
                                "host-local",
                                new HostLocal(
                                        Duration.ofSeconds(10), context.ledger(), context.clock(), AgentHome.of("a"))),
                        Map.of("calico", ipam),
                        "calico"));
    }

    /// Ends the test, as not run, where the kernel would not let us.
    static NetNode found() {
        assumeTrue(mayDoAll(), "not root: namespaces cannot be made");
        var node = new NetNode();
        try {
            node.pave();
            return node;
        } catch (RuntimeException | Error failure) {
            node.close();
            throw failure;
        }
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

    /// Proxy ARP answers for what the host would route elsewhere, so it needs an elsewhere.
    private void pave() {
        onHost.links().createVeth(VethEnd.named("uplink"), VethEnd.named("host"), elsewhere.namespace());
        int uplink = onHost.links().find("uplink").orElseThrow().index();
        onHost.links().setUp(uplink);
        onHost.addresses().add(LinkAddress.within(uplink, Address.parse("192.0.2.1"), 24));
        onHost.routes().add(Route.via(Prefix.parse("0.0.0.0/0"), Address.parse("192.0.2.254"), uplink));
        onHost.links().setUp(onHost.links().find("lo").orElseThrow().index());
    }

    /// Takes the host's default route away.
    void cutOff() {
        int uplink = onHost.links().find("uplink").orElseThrow().index();
        onHost.routes().delete(Route.via(Prefix.parse("0.0.0.0/0"), Address.parse("192.0.2.254"), uplink));
    }

    /// Another node, which finds the pods of a prefix by this host and has the address `fd20::2`.
    House elsewhere(String pods) {
        join(onHost, "uplink", "fd20::1");
        int link = join(elsewhere.netlink(), "host", "fd20::2");
        elsewhere.netlink().routes().add(Route.via(Prefix.parse(pods), Address.parse("fd20::1"), link));
        return elsewhere;
    }

    private static int join(Netlink netlink, String link, String address) {
        int index = netlink.links().find(link).orElseThrow().index();
        netlink.links().setUp(index);
        netlink.addresses()
                .add(LinkAddress.within(index, Address.parse(address), 64).with(LinkAddress.Flag.NO_DAD));
        return index;
    }

    private Path folder() {
        try {
            var folder = Files.createTempDirectory("cadastre-net");
            undoing.push(() -> delete(folder));
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Namespace namespace() {
        var name = "cadastre-net-%d-%d".formatted(ProcessHandle.current().pid(), COUNTER.incrementAndGet());
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

    @Override
    public void close() {
        undoing.forEach(Runnable::run);
    }

    // ---- what is in the store and on the disk ----

    NetNode withFile(String path, String text) {
        files.put(path, text);
        return this;
    }

    NetNode withPool(String name, String cidr, int blockSize) {
        return put(CalicoKeys.POOLS + name, """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},\
            "spec":{"cidr":"%s","blockSize":%d,"nodeSelector":"all()"}}\
            """.formatted(name, cidr, blockSize));
    }

    /// Returns when the watch of the agent has reported it.
    NetNode ready(boolean ready) {
        put(CLUSTER, """
            {"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"default"},"spec":{"datastoreReady":%s}}\
            """.formatted(ready));
        await().atMost(AMPLE).until(() -> isOpen() == ready);
        return this;
    }

    private boolean isOpen() {
        try {
            ipam.gate().requireOpen();
            return true;
        } catch (CniException _) {
            return false;
        }
    }

    /// Returns when the watch of the agent has reported it.
    NetNode withNamespace(String name, String annotations) {
        var key = StoredPods.NAMESPACES + name;
        put(key, """
            {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"%s","annotations":{%s}}}\
            """.formatted(name, annotations));
        await().atMost(AMPLE)
                .until(() -> namespaces.knows(key) && namespaces.find(key).equals(store.get(key)));
        return this;
    }

    /// @param annotations members of an object
    NetNode withPod(String namespace, String name, String annotations) {
        return put(StoredPods.PODS + namespace + "/" + name, """
            {"kind":"Pod","apiVersion":"v1",
            "metadata":{"name":"%s","namespace":"%s","labels":{"app":"web"},"annotations":{%s}},
            "spec":{"serviceAccountName":"default","containers":[{"ports":[
            {"containerPort":80,"name":"http"},{"containerPort":81}]}]}}\
            """.formatted(name, namespace, annotations));
    }

    NetNode withNodeCidr(String cidr) {
        return put(NodeBook.NODES + NODE, """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s"},\
            "spec":{"podCIDR":"%s","podCIDRs":["%s"]}}\
            """.formatted(NODE, cidr, cidr));
    }

    NetNode put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
        return this;
    }

    FailingEndpointStore store() {
        return store;
    }

    /// All endpoints, in the order of their names.
    List<CalicoEndpoint> endpoints() {
        return store.listAll(EndpointKeys.ENDPOINTS).documents().stream()
                .map(document -> {
                    var names = document.key()
                            .substring(EndpointKeys.ENDPOINTS.length())
                            .split("/", -1);
                    return WorkloadEndpointDocument.decode(
                                    document.key(),
                                    names[0],
                                    EndpointName.find(names[1]).orElseThrow(),
                                    document.value())
                            .endpoint();
                })
                .toList();
    }

    /// The ids of what holds addresses by calico-ipam.
    List<String> handles() {
        return store.listAll(CalicoKeys.HANDLES).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.HANDLES.length()))
                .toList();
    }

    /// The `ipam` part of a configuration of host-local.
    ///
    /// @param members where its addresses come from
    String hostLocal(String members) {
        return "{\"type\":\"host-local\",\"dataDir\":\"%s\",%s}".formatted(leases, members);
    }

    /// The addresses that a container has by host-local in the network `net1`.
    List<String> leases(String containerId) {
        var network = leases.resolve("net1");
        if (!Files.isDirectory(network)) {
            return List.of();
        }
        try (var files = Files.list(network)) {
            var found = new ArrayList<String>();
            for (var file : files.sorted().toList()) {
                if (Files.readString(file).startsWith(containerId + "\r\n")) {
                    found.add(file.getFileName().toString());
                }
            }
            return found;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    List<String> log() {
        return log;
    }

    // ---- calls ----

    CniAnswer call(CniVerb verb, Sandbox sandbox, String config) {
        return answer(new Withdrawal(), verb, sandbox, config);
    }

    private CniAnswer answer(Withdrawal withdrawal, CniVerb verb, Sandbox sandbox, String config) {
        return net.forCall(withdrawal)
                .answer(
                        sandbox.environment(verb),
                        StdinSource.of(Bytes.ofUtf8(config)),
                        _ -> Namespaces.Relation.OTHER);
    }

    CniResult add(Sandbox sandbox, String config) {
        var answer = call(CniVerb.ADD, sandbox, config);
        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
        return CniResult.parse(answer.stdout());
    }

    /// Adds, and then the answer is not delivered.
    void addInVain(Sandbox sandbox, String config) {
        var withdrawal = new Withdrawal();
        assertThat(answer(withdrawal, CniVerb.ADD, sandbox, config).exitCode()).isZero();
        Undelivered.of(withdrawal);
    }

    void succeed(CniVerb verb, Sandbox sandbox, String config) {
        var answer = call(verb, sandbox, config);
        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
        assertThat(answer.stdout().size()).isZero();
    }

    void del(Sandbox sandbox, String config) {
        succeed(CniVerb.DEL, sandbox, config);
    }

    CniError fail(CniVerb verb, Sandbox sandbox, String config) {
        var answer = call(verb, sandbox, config);
        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isEqualTo(1);
        return CniError.parse(answer.stdout());
    }

    // ---- what the kernel says ----

    Namespace host() {
        return host;
    }

    Netlink onHost() {
        return onHost;
    }

    Optional<Link> hostLink(String name) {
        return onHost.links().find(name);
    }

    String hostSetting(String name) {
        return new Sysctl(host).read(name);
    }

    /// Whether the host finds the address by this link, as only we set it up.
    boolean routed(String address, String hostLink) {
        int index = hostLink(hostLink).orElseThrow().index();
        var single = Address.parse(address);
        return onHost.routes().ofLink(index).stream()
                .filter(route -> route.protocol().equals(Route.Protocol.BOOT))
                .anyMatch(route -> route.destination()
                        .equals(new Prefix(single, single.family().bits())));
    }

    /// A pod that is in the village, or may come.
    House house() {
        var namespace = namespace();
        var netlink = netlink(namespace);
        netlink.links().setUp(netlink.links().find("lo").orElseThrow().index());
        return new House(namespace, netlink);
    }

    /// Whether the kernel gave it to the link on its own, when it saw fit.
    static boolean isOfTheKernel(LinkAddress found) {
        return found.address().toString().startsWith("fe80:");
    }

    /// A namespace for pods.
    record House(Namespace namespace, Netlink netlink) {

        String path() {
            return namespace.path();
        }

        Optional<Link> link(String name) {
            return netlink.links().find(name);
        }

        /// Addresses that are not the kernel's own, with their lengths.
        List<String> addresses(String link) {
            return netlink.addresses().ofLink(link(link).orElseThrow().index()).stream()
                    .filter(found -> !isOfTheKernel(found))
                    .map(found -> "%s/%d".formatted(found.address(), found.prefixLength()))
                    .toList();
        }

        /// Whatever leaves by the link, as `destination via gateway` or the destination alone, but for
        /// what the kernel added on its own.
        List<String> routes(String link) {
            return netlink.routes().ofLink(link(link).orElseThrow().index()).stream()
                    .filter(route -> route.protocol().equals(Route.Protocol.BOOT))
                    .map(route -> switch (route.nextHop()) {
                        case Route.NextHop.Direct _ -> route.destination().toString();
                        case Route.NextHop.Via(var gateway) -> "%s via %s".formatted(route.destination(), gateway);
                        case Route.NextHop.ViaOnLink(var gateway) ->
                            "%s onlink %s".formatted(route.destination(), gateway);
                    })
                    .toList();
        }

        String setting(String name) {
            return new Sysctl(namespace).read(name);
        }

        /// Sends echo requests.
        boolean reaches(String target) {
            return namespace.inside(() -> {
                try {
                    return InetAddress.getByName(target).isReachable(5_000);
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            });
        }
    }
}
