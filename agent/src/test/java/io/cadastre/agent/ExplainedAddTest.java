package io.cadastre.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.calico.KubernetesFacts;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.PoolAgentSettings;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Because;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces.Relation;
import io.cadastre.wire.cni.NetworkConfig;
import io.cadastre.wire.cni.StdinSource;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What an ADD is explained to come to is what it comes to: the same addresses or the same refusal, for the
/// same reasons, in every dialect.
@Timeout(300)
class ExplainedAddTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");
    private static final Duration LOCK_MAX = Duration.ofSeconds(60);
    private static final int WALKS = 20;
    private static final int STEPS = 30;

    @TempDir
    private Path folder = Path.of("");

    private final MemoryDatastore store = new MemoryDatastore();
    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final InstantSource clock = InstantSource.fixed(NOW);

    private AgentContext context() {
        return new AgentContext(store, ledger, clock, new SplittableRandom(1), _ -> {});
    }

    private void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private static CniCall call(CniVerb verb, String container, String args, String config) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", container);
        environment.put("CNI_NETNS", "/some/where");
        environment.put("CNI_IFNAME", "eth0");
        environment.put("CNI_PATH", "/some/where");
        environment.put("CNI_ARGS", args);
        return new CniCall(
                verb,
                container,
                "/some/where",
                "eth0",
                args,
                List.of(),
                NetworkConfig.read(Bytes.ofUtf8(config)),
                environment);
    }

    private static CniAnswer answer(Plugin plugin, CniCall call) {
        return plugin.forCall(new Withdrawal())
                .answer(call.environment(), StdinSource.of(call.config().raw()), _ -> Relation.OTHER);
    }

    private static void compare(AddExplanation explained, CniAnswer answer) {
        if (answer.exitCode() == 0) {
            assertThat(explained.refusal()).isEmpty();
            assertThat(explained.addresses())
                    .isEqualTo(CniResult.parse(answer.stdout()).ips().stream()
                            .map(ip -> ip.address().ip())
                            .toList());
        } else {
            assertThat(CniError.parse(answer.stdout()).msg()).isEqualTo(explained.refusal());
        }
    }

    /// The reasons of the entry that tells of the decision; a decision that changes nothing may have none.
    private void compareReasons(AddExplanation explained, long before) {
        var entries = ledger.read(before + 1, 10);
        if (!entries.isEmpty()) {
            assertThat(explained.because().stream().map(Because::sentence))
                    .isEqualTo(entries.getFirst().entry().because().stream()
                            .map(Fact::words)
                            .toList());
        }
    }

    private long entries() {
        long last = 0;
        var page = ledger.read(1, 1000);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            last = page.getLast().number();
            page = ledger.read(last + 1, 1000);
        }
        return last;
    }

    @Test
    void calicoGivesTheExplainedAddresses() {
        for (int seed = 1; seed <= WALKS; seed++) {
            var dice = new SplittableRandom(seed);
            put("/calico/resources/v3/projectcalico.org/ippools/p", """
                {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"p"},\
                "spec":{"cidr":"10.%d.0.0/27","blockSize":%d}}\
                """.formatted(seed, 29 + dice.nextInt(3)));
            var nodes = List.of("a", "b", "c");
            for (int step = 0; step < STEPS; step++) {
                var node = nodes.get(dice.nextInt(nodes.size()));
                var container = "c%d-%d".formatted(seed, dice.nextInt(16));
                var args = dice.nextInt(4) == 0
                        ? "IP=10.%d.0.%d".formatted(seed, dice.nextInt(40))
                        : "IgnoreUnknown=1;K8S_POD_NAMESPACE=n;K8S_POD_NAME=" + container;
                var config =
                        "{\"cniVersion\":\"1.0.0\",\"name\":\"net\",\"type\":\"calico\",\"ipam\":{\"type\":\"calico-ipam\"}}";
                try (var ipam = CalicoIpam.open(context(), node)) {
                    if (dice.nextInt(4) == 0) {
                        answer(ipam, call(CniVerb.DEL, container, "", config));
                    } else {
                        var add = call(CniVerb.ADD, container, args, config);
                        long before = entries();

                        var explained = CalicoIpam.explain(context(), node, KubernetesFacts.NOTHING, add);

                        assertThat(entries()).isEqualTo(before);
                        compare(explained, answer(ipam, add));
                        compareReasons(explained, before);
                    }
                }
            }
        }
    }

    @Test
    void hostLocalGivesTheExplainedAddresses() throws InterruptedException {
        var plugin = new HostLocal(LOCK_MAX, ledger, clock, AgentHome.of("a"));
        for (int seed = 1; seed <= WALKS; seed++) {
            var dice = new SplittableRandom(seed);
            var config = """
                {"cniVersion":"1.0.0","name":"net%d","type":"macvlan","ipam":{"type":"host-local",\
                "dataDir":"%s","ranges":[[{"subnet":"10.1.2.0/28"}],[{"subnet":"fd00::/124"}]]}}\
                """.formatted(seed, folder);
            for (int step = 0; step < STEPS; step++) {
                var container = "c" + dice.nextInt(16);
                if (dice.nextInt(6) == 0) {
                    answer(plugin, call(CniVerb.DEL, container, "", config));
                    continue;
                }
                var args = dice.nextInt(4) == 0 ? "IP=10.1.2." + dice.nextInt(18) : "";
                var add = call(CniVerb.ADD, container, args, config);
                long before = entries();

                var explained = HostLocal.explain(LOCK_MAX, add);

                compare(explained, answer(plugin, add));
                compareReasons(explained, before);
            }
        }
        assertThat(folder).isDirectoryContaining("glob:**/net1");
    }

    @Test
    void explainingMakesNoFolder() throws InterruptedException {
        var config = """
            {"cniVersion":"1.0.0","name":"net","type":"macvlan","ipam":{"type":"host-local",\
            "dataDir":"%s","ranges":[[{"subnet":"10.1.2.0/28"}]]}}\
            """.formatted(folder);

        var explained = HostLocal.explain(LOCK_MAX, call(CniVerb.ADD, "c", "", config));

        assertThat(explained.addresses()).hasToString("[10.1.2.2]");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void spiderpoolGivesTheExplainedAddresses() {
        for (int seed = 1; seed <= WALKS; seed++) {
            var dice = new SplittableRandom(seed);
            for (int pool = 1; pool <= 3; pool++) {
                spiderPool("p%d-%d".formatted(seed, pool), "10.%d.%d".formatted(seed, pool));
            }
            var agent = new PoolAgent(context(), "a", PoolAgentSettings.of(Map.of()));
            var beside = new PoolAgent(context(), "a", PoolAgentSettings.of(Map.of()));
            for (int step = 0; step < STEPS; step++) {
                var name = "pod-%d-%d".formatted(seed, dice.nextInt(14));
                var uid = "uid-" + dice.nextInt(2);
                if (dice.nextInt(3) > 0) {
                    pod(name, uid);
                }
                var identity = new PodIdentity("n", name, uid);
                if (dice.nextInt(6) == 0) {
                    agent.release(new IpamDelArgs("c", "eth0", "/some/where", identity));
                    continue;
                }
                var args = new IpamAddArgs(
                        "c",
                        "eth0",
                        "/some/where",
                        identity,
                        List.of(
                                "p%d-%d".formatted(seed, 1 + dice.nextInt(4)),
                                "p%d-%d".formatted(seed, 1 + dice.nextInt(3))),
                        List.of(),
                        false,
                        dice.nextInt(12) == 0);
                long before = entries();

                var explained = beside.explain(args);

                try {
                    assertThat(explained.addresses())
                            .isEqualTo(agent.allocate(args).ips().stream()
                                    .map(ip -> ip.ip().address().ip())
                                    .toList());
                    assertThat(explained.refusal()).isEmpty();
                } catch (SpiderpoolAgentException refused) {
                    assertThat(explained.refusal()).isEqualTo(refused.words());
                }
                compareReasons(explained, before);
            }
        }
    }

    private void pod(String name, String uid) {
        put(CoreKeys.PODS + "n/" + name, """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"n","uid":"%s"},\
            "spec":{"nodeName":"a"},"status":{"phase":"Running"}}\
            """.formatted(name, uid));
    }

    /// Of four addresses.
    private void spiderPool(String name, String net) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.putObject("spec").put("subnet", net + ".0/24").putArray("ips").add("%s.10-%s.13".formatted(net, net));
        var page = new ObjectBook(store).open();
        var decision = SpiderObjects.apply(
                page.view(),
                new SpiderObjects.Given(
                        SpiderKinds.POOL, json, new UUID(0, 1), NOW, List.of(Family.IPV4, Family.IPV6)));
        page.with(decision.changes()).save();
    }
}
