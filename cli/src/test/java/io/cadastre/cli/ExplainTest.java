package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.StdinSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What CNI calls and pods would be given.
final class ExplainTest {

    @TempDir
    private Path home = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    @TempDir
    private Path networks = Path.of("");

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() throws IOException {
        shell = Shell.at(home);
        var applied = Manifest.apply(
                shell,
                folder,
                Manifest.pool("any", "{cidr: 10.1.0.0/24}"),
                Manifest.pool(
                        "shop",
                        "{cidr: 10.2.0.0/24, allowedUses: [Workload], namespaceSelector:"
                                + " 'kubernetes.io/metadata.name == \"shop\"'}"),
                Manifest.node("a"));
        assertThat(applied.exitCode()).isZero();
    }

    private void network(String name, String ipam) throws IOException {
        Files.writeString(networks.resolve(name + ".conflist"), """
            {"cniVersion":"1.0.0","name":"%s","plugins":[{"type":"cadastre-net","ipam":%s}]}
            """.formatted(name, ipam));
    }

    @Test
    void explanationOfAPodNamesThePoolsOfItsNamespace() {
        var inside = shell.run("explain", "pod", "shop/web-0", "--node", "a");
        var outside = shell.run("explain", "pod", "bank/web-0", "--node", "a");

        assertThat(inside.exitCode()).isZero();
        assertThat(inside.out())
                .startsWith("pod shop/web-0 on node a would be given 10.")
                .contains("because took pool any, 10.1.0.0/24\n")
                .contains("because took pool shop, 10.2.0.0/24\n")
                .endsWith("  nothing was written\n");
        assertThat(outside.out())
                .contains("passed over pool shop, 10.2.0.0/24: its namespaceSelector"
                        + " kubernetes.io/metadata.name == \"shop\" does not match the"
                        + " namespace, whose labels are kubernetes.io/metadata.name=bank\n");
        assertThat(shell.run("get", "ipamblocks", "-o", "name").out()).isEmpty();
    }

    @Test
    void nothingIsPromisedWhileTheDatastoreIsLocked() throws IOException {
        network("blue", "{\"type\":\"calico-ipam\"}");
        Manifest.apply(shell, folder, Manifest.resource("ClusterInformation", "default", "{datastoreReady: false}"));
        var assigned = shell.run("ipam", "assign", "--node", "a");

        var explained = List.of(
                shell.run("explain", "ipam", "assign", "--node", "a"),
                shell.run("explain", "ipam", "assign", "--node", "a", "--ip", "10.1.0.9"),
                shell.run("ipam", "assign", "--node", "a", "--explain"),
                shell.run("explain", "pod", "shop/web-0", "--node", "a"),
                shell.run(
                        "explain",
                        "cni",
                        "add",
                        "blue",
                        "/run/netns/one",
                        "--node",
                        "a",
                        "--conf-dir",
                        networks.toString()));

        assertThat(assigned.exitCode()).isEqualTo(3);
        assertThat(assigned.err()).contains("the datastore is locked");
        assertThat(explained).containsOnly(assigned);
    }

    @Test
    void podThatTheStoreDoesNotKnowNeedsItsNodeNamed() {
        var ended = shell.run("explain", "pod", "shop/web-0");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: the store has no pod shop/web-0 that runs on a node; give a node"
                                + " with --node\n"));
    }

    @Test
    void callIsExplainedByThePoolsOfItsNetwork() throws IOException {
        network("blue", "{\"type\":\"calico-ipam\",\"ipv4_pools\":[\"10.2.0.0/24\"]}");

        var ended = shell.run(
                "explain", "cni", "add", "blue", "/run/netns/one", "--node", "a", "--conf-dir", networks.toString());

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out())
                .startsWith("interface eth0 of /run/netns/one would be given 10.2.0.")
                .contains("because passed over pool any, 10.1.0.0/24: other pools were asked for\n");
    }

    private Shell.Ended explainAdd(String network, String... more) {
        return shell.run(Stream.concat(
                        Stream.of(
                                "explain",
                                "cni",
                                "add",
                                network,
                                "/run/netns/one",
                                "--node",
                                "a",
                                "--conf-dir",
                                networks.toString()),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void networkOfUnknownPluginIsRefused() throws IOException {
        network("green", "{\"type\":\"dhcp\"}");

        var ended = explainAdd("green");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: network green has no plugin whose ipam.type is one of"
                                + " calico-ipam, host-local, spiderpool and cadastre-ipam,"
                                + " whose decisions can be explained\n"));
    }

    @Test
    void unreadableIpamIsRefused() {
        var ended = explainAdd("green", "--ipam", "{");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith("cadastre: --ipam: ")
                .contains("write a JSON object, for example {\"type\":\"calico-ipam\"}");
    }

    @Test
    void hostLocalIsExplainedByTheFilesOfItsNetwork() throws IOException {
        network("green", "{\"type\":\"host-local\",\"dataDir\":\"%s\",\"subnet\":\"10.3.0.0/29\"}".formatted(folder));
        var files = Files.createDirectories(folder.resolve("green"));
        Files.writeString(files.resolve("10.3.0.2"), "other\neth0");

        var ended = explainAdd("green");

        assertThat(ended.out())
                .startsWith("interface eth0 of /run/netns/one would be given 10.3.0.3\n")
                .contains("  would reserve 10.3.0.3 for eth0 of container cnitool-")
                .endsWith("  nothing was written\n");
        assertThat(files.resolve("10.3.0.3")).doesNotExist();
    }

    private void put(String key, String json) {
        try (var store = openStore()) {
            assertThat(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(json)))))
                    .isInstanceOf(Commit.Done.class);
        }
    }

    private SqliteDatastore openStore() {
        return SqliteDatastore.open(SqliteSettings.of(shell.dataDirectory().resolve("store.db")));
    }

    private void pod(String annotations) {
        put(StoredPods.PODS + "shop/web-0", """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","namespace":"shop",\
            "uid":"u1","annotations":%s},"spec":{"nodeName":"a"},"status":{"phase":"Running"}}\
            """.formatted(annotations));
    }

    @Test
    void podOfSpiderpoolIsExplainedByItsPools() throws IOException {
        var pools = """
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: %s}, spec: {subnet: 172.18.4%d.0/24, ips: [%s]%s}}
            """;
        for (var document : List.of(
                pools.formatted("near", 1, "172.18.41.7", ", podAffinity: {matchLabels: {app: bank}}"),
                pools.formatted("far", 2, "172.18.42.9", ""))) {
            assertThat(shell.runPiping(document, "apply", "-f", "-").exitCode()).isZero();
        }
        pod("{}");

        var ended = shell.run(
                "explain",
                "pod",
                "shop/web-0",
                "--ipam",
                "{\"type\":\"spiderpool\",\"default_ipv4_ippool\":[\"near\",\"far\"]}");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .startsWith("pod shop/web-0 on node a would be given 172.18.42.9\n")
                .contains("because passed over pool near: its podAffinity app=bank does not match pod"
                        + " shop/web-0, which has none of the labels it names\n")
                .endsWith("  nothing was written\n");
        assertThat(shell.run("get", "spiderendpoints", "-o", "name").out()).isEmpty();
    }

    private void spiderPool(String name, int net, String more) {
        var document = """
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: %s}, spec: {subnet: 172.18.%d.0/24, ips: [172.18.%d.7]%s}}
            """.formatted(name, net, net, more);
        assertThat(shell.runPiping(document, "apply", "-f", "-").exitCode()).isZero();
    }

    @Test
    void addOfSpiderpoolIsExplainedWithCandidatesFiltersOrderAndAddress() {
        spiderPool("any", 41, "");
        spiderPool("bank", 42, ", podAffinity: {matchLabels: {app: bank}}");
        spiderPool("near", 43, ", nodeName: [a], multusName: [mac1]");
        spiderPool("off", 44, ", disable: true");
        pod("{\"ipam.spidernet.io/ippools\":\"[{\\\"interface\\\":\\\"eth0\\\",\\\"ipv4\\\":[\\\"any\\\"]},"
                + "{\\\"interface\\\":\\\"net1\\\",\\\"ipv4\\\":[\\\"off\\\",\\\"bank\\\",\\\"near\\\"]}]\","
                + "\"k8s.v1.cni.cncf.io/networks\":\"kube-system/mac1@net1\"}");

        var ended = shell.run("explain", "spiderpool", "add", "shop/web-0", "--nic", "net1");
        var json = shell.run("explain", "spiderpool", "add", "shop/web-0", "--nic", "net1", "-o", "json");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out())
                .startsWith("NIC net1 of pod shop/web-0 on node a would be given 172.18.43.7\n")
                .contains(
                        "because the Pod's annotation names the pools off, bank, near for NIC net1\n",
                        "because disabled IPPool off\n",
                        "because passed over pool bank: its podAffinity app=bank does not match pod",
                        "because chose 172.18.43.7, the lowest free address of pool near, for NIC net1\n")
                .endsWith("  nothing was written\n");
        assertThat(json.out()).contains("172.18.43.7");
        assertThat(shell.run("get", "spiderendpoints", "-o", "name").out()).isEmpty();
    }

    @Test
    void orderOfSeveralPoolsOfSpiderpoolIsExplained() {
        spiderPool("any", 41, "");
        spiderPool("near", 43, ", nodeName: [a]");
        pod("{}");

        var ended = shell.run(
                "explain",
                "spiderpool",
                "add",
                "shop/web-0",
                "--ipam",
                "{\"type\":\"spiderpool\",\"default_ipv4_ippool\":[\"any\",\"near\"]}");

        assertThat(ended.out())
                .startsWith("NIC eth0 of pod shop/web-0 on node a would be given 172.18.43.7\n")
                .contains("because tries the pools near, any for NIC eth0 in this order");
    }

    @Test
    void addOfSpiderpoolThatWouldBeRefusedIsExplainedWithItsExitCode() {
        spiderPool("far", 41, ", nodeName: [b], default: true");
        pod("{}");

        var refused = shell.run("explain", "spiderpool", "add", "shop/web-0");
        var elsewhere = shell.run("explain", "spiderpool", "add", "shop/web-1");
        var nonsense = shell.run("explain", "spiderpool", "add", "a/b/c");
        var noInterface = shell.run("explain", "spiderpool", "add", "shop/web-0", "--nic", "a/b");
        var otherType = shell.run("explain", "spiderpool", "add", "shop/web-0", "--ipam", "{\"type\":\"host-local\"}");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.out())
                .startsWith("NIC eth0 of pod shop/web-0 on node a would be given nothing: ")
                .contains(
                        "unmatched Node name of IPPool far",
                        "because passed over pool far: its nodeName has b and not a");
        assertThat(elsewhere.exitCode()).isEqualTo(3);
        assertThat(elsewhere.err()).contains("the store has no pod shop/web-1 that runs on a node");
        assertThat(nonsense.exitCode()).isEqualTo(2);
        assertThat(noInterface.exitCode()).isEqualTo(2);
        assertThat(noInterface.err()).contains("--nic 'a/b'");
        assertThat(otherType.exitCode()).isEqualTo(2);
    }

    @Test
    void familiesOfSpiderpoolsConfigurationCount() throws IOException {
        var conf = Files.writeString(folder.resolve("conf.yml"), "enableIPv6: false\n")
                .toString();
        var document = """
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: six}, spec: {subnet: "fd00::/64", ips: ["fd00::7"], default: true}}
            """;
        var set = shell.with("CADASTRE_SPIDERPOOL_CONFIG", conf);
        pod("{}");

        var refused = set.runPiping(document, "apply", "-f", "-");
        var applied = shell.runPiping(document, "apply", "-f", "-");
        var off = shell.run("explain", "spiderpool", "add", "shop/web-0", "--spiderpool-config", conf);
        var on = shell.run("explain", "spiderpool", "add", "shop/web-0");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("IPv6 is disabled");
        assertThat(applied.exitCode()).isZero();
        assertThat(off.exitCode()).isEqualTo(3);
        assertThat(on.out()).startsWith("NIC eth0 of pod shop/web-0 on node a would be given fd00::7\n");
    }

    @Test
    void impossibleSettingOfSpiderpoolStopsAnAgentBeforeItStarts() throws IOException {
        var misspelt = Files.writeString(folder.resolve("misspelt.yml"), "enableIPV6: false\n")
                .toString();
        var two = Files.writeString(folder.resolve("two.yml"), "enableIPv6: false\n---\nenableIPv4: true\n")
                .toString();

        var variable =
                shell.with("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS", "maybe").run("agent", "--node", "a");
        var key = shell.run("agent", "--node", "a", "--spiderpool-config", misspelt);
        var documents = shell.run("up", "--node", "a", "--spiderpool-config", two);
        var missing = shell.run(
                "agent",
                "--node",
                "a",
                "--spiderpool-config",
                folder.resolve("none").toString());

        assertThat(List.of(variable, key, documents, missing))
                .extracting(Shell.Ended::exitCode)
                .containsOnly(2);
        assertThat(variable.err())
                .contains("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS is 'maybe'; it must be one of 1, t, T, true, TRUE");
        assertThat(key.err()).contains("misspelt.yml: unknown key 'enableIPV6'; did you mean enableIPv6?");
        assertThat(documents.err()).contains("two.yml has several documents");
        assertThat(missing.err()).contains("cannot be read");
    }

    @Test
    void podGetsTheAddressesThatItsAnnotationNames() {
        pod("{\"cni.projectcalico.org/ipAddrs\":\"[\\\"10.1.0.77\\\"]\"}");

        var ended = shell.run("explain", "pod", "shop/web-0");

        assertThat(ended.out()).startsWith("pod shop/web-0 on node a would be given 10.1.0.77\n");
    }

    @Test
    void podWhoseAnnotationNamesATakenAddressIsRefused() {
        pod("{\"cni.projectcalico.org/ipAddrs\":\"[\\\"10.1.0.77\\\"]\"}");
        shell.run("ipam", "assign", "--node", "a", "--ip", "10.1.0.77");

        var ended = shell.run("explain", "pod", "shop/web-0");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out())
                .startsWith("pod shop/web-0 on node a would be given nothing: error getting IP from" + " IPAM: ");
    }

    /// Runs the command that stands at the end of an error, as a shell reads it.
    private Shell.Ended paste(String details) throws IOException, InterruptedException {
        var shellWords = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + details.replaceAll(".*run: ", ""))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var words = new String(shellWords.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(shellWords.waitFor()).isZero();
        assertThat(words).startsWith("cadastre");
        return Shell.at(folder).run(words.stream().skip(1).toArray(String[]::new));
    }

    private static CniError refusal(Plugin plugin, String config, String args) {
        var answer = plugin.forCall(new Withdrawal())
                .answer(
                        Map.of(
                                "CNI_COMMAND", "ADD",
                                "CNI_CONTAINERID", "c",
                                "CNI_NETNS", "/run/netns/one",
                                "CNI_IFNAME", "eth0",
                                "CNI_PATH", "/opt/cni/bin",
                                "CNI_ARGS", args),
                        StdinSource.of(Bytes.ofUtf8(config)),
                        _ -> Namespaces.Relation.OTHER);
        assertThat(answer.exitCode()).isNotZero();
        return CniError.parse(answer.stdout());
    }

    @Test
    void explainCommandOfAnAddThatCalicoRefusesWorks() throws Exception {
        var dataDirectory = shell.dataDirectory();
        CniError error;
        try (var store = openStore()) {
            var means = new AgentContext(
                            store,
                            new Ledger(store.journal().orElseThrow()),
                            InstantSource.fixed(Shell.NOON),
                            new SplittableRandom(1),
                            _ -> {})
                    .forCommandsWith("--data-dir " + dataDirectory);
            try (var ipam = CalicoIpam.open(means, "a")) {
                error = refusal(ipam, """
                    {"cniVersion":"1.0.0","name":"blue","type":"calico",\
                    "ipam":{"type":"calico-ipam","ipv4_pools":["10.9.0.0/24"]}}\
                    """, "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0");
            }
        }

        assertThat(error.details()).as(error.msg()).contains("run: ");
        var pasted = paste(error.details());

        assertThat(pasted.exitCode()).isEqualTo(3);
        assertThat(pasted.out()).startsWith("pod shop/web-0 on node a would be given nothing: " + error.msg());
    }

    @Test
    void explainCommandOfAnAddThatHostLocalRefusesWorks() throws Exception {
        var plugin = new HostLocal(
                Duration.ofSeconds(10),
                new Ledger(new MemoryJournal()),
                InstantSource.fixed(Shell.NOON),
                AgentHome.of("a"));
        var error = refusal(plugin, """
            {"cniVersion":"1.0.0","name":"green","type":"macvlan","ipam":{"type":\
            "host-local","dataDir":"%s","subnet":"10.3.0.0/29","rangeEnd":"10.3.0.1"}}\
            """.formatted(folder), "");

        assertThat(error.details()).as(error.msg()).contains("run: ");
        var pasted = paste(error.details());

        assertThat(pasted.exitCode()).isEqualTo(3);
        assertThat(pasted.out()).startsWith("interface eth0 of /run/netns/one would be given nothing: " + error.msg());
    }
}
