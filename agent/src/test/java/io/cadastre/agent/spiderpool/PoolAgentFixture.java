package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/// A store with the documents of a cluster in it, in the words of a test. Its pods are in the namespace `ns1`.
final class PoolAgentFixture {

    static final Instant NOW = Instant.parse("2026-11-15T08:20:13Z");

    final MemoryDatastore store = new MemoryDatastore();

    PoolAgent agent() {
        return agent(PoolAgentSettings.of(Map.of()));
    }

    PoolAgent agent(Set<SpiderpoolSwitch> features) {
        return agent(PoolAgentSettings.of(Map.of()).withFeatures(features));
    }

    PoolAgent agent(PoolAgentSettings settings) {
        return agent(store, settings);
    }

    /// One that sees the store through another.
    PoolAgent agentOn(Datastore seen) {
        return agent(seen, PoolAgentSettings.of(Map.of()));
    }

    private static PoolAgent agent(Datastore seen, PoolAgentSettings settings) {
        return new PoolAgent(
                new AgentContext(
                        seen,
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(NOW),
                        new SplittableRandom(1),
                        _ -> {}),
                "n1",
                settings);
    }

    void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var commit = store.commit(List.of(store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value))));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    void remove(String key) {
        long revision = store.get(key).orElseThrow().revision();
        assertThat(store.commit(List.of(new Write.Delete(key, revision)))).isInstanceOf(Commit.Done.class);
    }

    void pool(String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        var page = new ObjectBook(store).open();
        var decision = SpiderObjects.apply(
                page.view(), new Given(SpiderKinds.POOL, json, new UUID(0, 1), NOW, List.of(Family.IPV4, Family.IPV6)));
        assertThat(decision.outcome()).isEqualTo(new ObjectOutcome.Created());
        page.with(decision.changes()).save();
    }

    /// A pod that wants addresses of a pool.
    ///
    /// @param owner its controller: the version, the kind and the name; or nothing
    void pod(String name, String uid, String pool, String... owner) {
        put(CoreKeys.PODS + "ns1/" + name, podJson(name, uid, pool, owner).toString());
    }

    /// The same, whose deletion has begun.
    void deleting(String name, String uid, String pool, String... owner) {
        var json = podJson(name, uid, pool, owner);
        ((ObjectNode) json.path("metadata")).put("deletionTimestamp", "2026-11-15T08:20:13Z");
        put(CoreKeys.PODS + "ns1/" + name, json.toString());
    }

    void annotate(String name, String annotation, String value) {
        var key = CoreKeys.PODS + "ns1/" + name;
        var json = Json.readObject(key, store.get(key).orElseThrow().value());
        ((ObjectNode) json.at("/metadata/annotations")).put(annotation, value);
        put(key, json.toString());
    }

    private static ObjectNode podJson(String name, String uid, String pool, String... owner) {
        var json = Json.emptyObject().put("kind", "Pod").put("apiVersion", "v1");
        var metadata = json.putObject("metadata")
                .put("name", name)
                .put("namespace", "ns1")
                .put("uid", uid);
        metadata.putObject("annotations").put("ipam.spidernet.io/ippool", "{\"ipv4\":[\"%s\"]}".formatted(pool));
        if (owner.length > 0) {
            metadata.putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", owner[0])
                    .put("kind", owner[1])
                    .put("name", owner[2])
                    .put("controller", true);
        }
        json.putObject("spec").put("nodeName", "n1");
        json.putObject("status").put("phase", "Running");
        return json;
    }

    static IpamAddArgs add(String pod, String uid, String nic) {
        return new IpamAddArgs(
                "c", nic, "/run/netns/x", new PodIdentity("ns1", pod, uid), List.of(), List.of(), false, false);
    }

    static IpamDelArgs del(String pod, String uid) {
        return new IpamDelArgs("c", "eth0", "", new PodIdentity("ns1", pod, uid));
    }

    static IpamBatchDelArgs all(String pod, String uid, boolean dueToConflict) {
        return new IpamBatchDelArgs("c", "", new PodIdentity("ns1", pod, uid), dueToConflict);
    }

    static List<String> given(SpiderpoolAgent agent, String pod, String uid) {
        return agent.allocate(add(pod, uid, "eth0")).of("eth0").ips().stream()
                .map(AllocatedIp::ip)
                .map(ip -> ip.address().toString())
                .toList();
    }

    /// The JSON of the records of a pool.
    String records(String pool) {
        return json(SpiderKeys.pool(pool)).at("/status/allocatedIPs").asText();
    }

    JsonNode json(String key) {
        return Json.readObject(key, store.get(key).map(Document::value).orElseThrow());
    }

    boolean hasEndpoint(String name) {
        return store.get(SpiderKeys.ENDPOINTS + "ns1/" + name).isPresent();
    }
}
