package io.cadastre.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.PoolAgentSettings;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.StdinSource;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pod shop/web-0 on node `a` gets an address at noon and gives it back at one o'clock.
final class HolderTest {

    private static final String POD = "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0;K8S_POD_UID=u1";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private SqliteDatastore openStore() {
        return SqliteDatastore.open(SqliteSettings.of(shell.dataDirectory().resolve("store.db")));
    }

    private static AgentContext means(SqliteDatastore store, int hours) {
        return new AgentContext(
                store, new Ledger(store.journal().orElseThrow()), clock(hours), new SplittableRandom(1), _ -> {});
    }

    private static InstantSource clock(int hours) {
        return InstantSource.fixed(Shell.NOON.plus(Duration.ofHours(hours)));
    }

    private static void call(Plugin plugin, CniVerb verb, String args, String config) {
        var answer = plugin.forCall(new Withdrawal())
                .answer(
                        Map.of(
                                "CNI_COMMAND", verb.name(),
                                "CNI_CONTAINERID", "c1",
                                "CNI_NETNS", "/run/netns/one",
                                "CNI_IFNAME", "eth0",
                                "CNI_PATH", "/opt/cni/bin",
                                "CNI_ARGS", args),
                        StdinSource.of(Bytes.ofUtf8(config)),
                        _ -> Namespaces.Relation.OTHER);
        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
    }

    private void requireHistory(String address, String handle) throws IOException {
        var later = shell.at(Shell.NOON.plus(Duration.ofHours(2)));
        for (var of : List.of(List.of("--pod", "shop/web-0"), List.of("--node", "a", "--since", "3h"))) {
            var ended = later.run("history", of.getFirst(), of.get(1), "--limit", "1", "-o", "json");
            var held = new ObjectMapper().readTree(ended.out());
            var holding = held.path("holding");
            assertThat(List.of(
                            holding.path("range").asText(),
                            holding.path("namespace").asText(),
                            holding.path("pod").asText(),
                            holding.path("uid").asText(),
                            holding.path("node").asText(),
                            holding.path("interface").asText(),
                            holding.path("handle").asText(),
                            held.path("from").asText(),
                            held.path("until").asText()))
                    .as(ended.toString())
                    .containsExactly(
                            address + "/32",
                            "shop",
                            "web-0",
                            "u1",
                            "a",
                            "eth0",
                            handle,
                            "2026-01-31T12:00:00Z",
                            "2026-01-31T13:00:00Z");
        }
        assertThat(later.run("history", "--pod", "shop/web-0").out().lines())
                .hasSize(2)
                .allMatch(line -> line.length() <= 80)
                .last()
                .asString()
                .startsWith("01-31 12:00:00   01-31 13:00:00   " + address + "   a ");
    }

    @Test
    void holderOfCalicosAddressIsNamedByPodUidNodeInterfaceAndHandle() throws IOException {
        assertThat(Manifest.apply(shell, folder, Manifest.pool("p", "{cidr: 10.1.0.0/28, blockSize: 28}"))
                        .exitCode())
                .isZero();
        var config =
                "{\"cniVersion\":\"1.0.0\",\"name\":\"net\",\"type\":\"calico\",\"ipam\":{\"type\":\"calico-ipam\"}}";

        try (var store = openStore()) {
            try (var ipam = CalicoIpam.open(means(store, 0), "a")) {
                call(ipam, CniVerb.ADD, POD + ";IP=10.1.0.5", config);
            }
            try (var ipam = CalicoIpam.open(means(store, 1), "a")) {
                call(ipam, CniVerb.DEL, POD, config);
            }
        }

        requireHistory("10.1.0.5", "net.c1");
    }

    @Test
    void holderOfHostLocalsAddressIsNamedByPodUidNodeInterfaceAndContainer() throws IOException {
        var config = """
            {"cniVersion":"1.0.0","name":"net","type":"macvlan","ipam":{"type":"host-local",\
            "dataDir":"%s","subnet":"10.3.0.0/29"}}\
            """.formatted(folder);

        try (var store = openStore()) {
            var ledger = new Ledger(store.journal().orElseThrow());
            for (var verb : List.of(CniVerb.ADD, CniVerb.DEL)) {
                call(
                        new HostLocal(
                                Duration.ofSeconds(10), ledger, clock(verb == CniVerb.ADD ? 0 : 1), AgentHome.of("a")),
                        verb,
                        // Not every runtime says at the end whose container it was.
                        verb == CniVerb.ADD ? POD : "",
                        config);
            }
        }

        requireHistory("10.3.0.2", "c1");
    }

    @Test
    void holderOfSpiderpoolsAddressIsNamedByPodUidNodeAndInterface() throws IOException {
        var applied = shell.runPiping("""
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: p}, spec: {subnet: 172.18.41.0/24, ips: [172.18.41.7]}}
            """, "apply", "-f", "-");
        assertThat(applied.exitCode()).isZero();
        var pod = new PodIdentity("shop", "web-0", "u1");

        try (var store = openStore()) {
            var key = CoreKeys.PODS + "shop/web-0";
            var document = """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","namespace":"shop",\
                "uid":"u1"},"spec":{"nodeName":"a"},"status":{"phase":"Running"}}\
                """;
            store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(document))));
            new PoolAgent(means(store, 0), "a", PoolAgentSettings.of(Map.of()))
                    .allocate(new IpamAddArgs(
                            "c1", "eth0", "/run/netns/one", pod, List.of("p"), List.of(), false, false));
            long revision = store.get(key).orElseThrow().revision();
            assertThat(store.commit(List.of(new Write.Delete(key, revision)))).isInstanceOf(Commit.Done.class);
            new PoolAgent(means(store, 1), "a", PoolAgentSettings.of(Map.of()))
                    .release(new IpamDelArgs("c1", "eth0", "/run/netns/one", pod));
        }

        requireHistory("172.18.41.7", "");
        assertThat(shell.run("history", "--decisions", "-o", "wide").out())
                .contains("NIC eth0 has 172.18.41.7/24 of pool p", "released 172.18.41.7", "created")
                .doesNotContain("Allocated[", "Released[", "Created[");
    }

    @Test
    void unknownPodAndAddressAreReported() {
        shell.run("node-cidr", "add", "a", "--cluster-cidr=10.244.0.0/16");

        var pod = shell.run("history", "--pod", "shop/web-1");
        var address = shell.run("who", "192.0.2.1");

        assertThat(pod.exitCode()).isZero();
        assertThat(pod.err()).isEqualTo("cadastre: warning: the ledger has no record of pod shop/web-1\n");
        assertThat(address.err())
                .isEqualTo("cadastre: warning: neither the store nor the ledger records a holder of 192.0.2.1\n");
    }

    @Test
    void ipv4AddressThatIsWrittenAsIpv6IsFound() {
        shell.run("node-cidr", "add", "a", "--cluster-cidr=10.244.0.0/16");

        var who = shell.run("who", "::ffff:10.244.0.7");
        var history = shell.run("history", "--ip", "::ffff:10.244.0.7");

        assertThat(who.out()).contains(" a ");
        assertThat(who).isEqualTo(shell.run("who", "10.244.0.7"));
        assertThat(history.out()).contains(" a ");
        assertThat(history).isEqualTo(shell.run("history", "--ip", "10.244.0.7"));
    }

    @Test
    void invalidTimeIsRefused() {
        var who = shell.run("who", "10.1.0.1", "--at", "yesterday");
        var address = shell.run("who", "10.1.0");

        assertThat(who.exitCode()).isEqualTo(2);
        assertThat(who.err()).startsWith("cadastre: --at: ").contains("yesterday");
        assertThat(address.exitCode()).isEqualTo(2);
        assertThat(address.err()).contains("10.1.0");
    }
}
