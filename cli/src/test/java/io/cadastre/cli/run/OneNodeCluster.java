package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.cli.Shell;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A cluster with one node, for controllers to look after. Pods get their addresses as from a plugin, and
/// report them as a kubelet does.
public record OneNodeCluster(Datastore store) {

    static final String LEASES = ElectionSettings.LEASES + "kube-system/";
    static final String LEASE = LEASES + "cadastre-controller";

    private static final String NODE = "node-1";

    void addNode() {
        put(
                "/cadastre/api/v1/nodes/" + NODE,
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}".formatted(NODE));
    }

    private void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    /// Gives the pod an address.
    String give(String pod) {
        InstantSource clock = () -> Shell.NOON;
        var registrar = new Registrar<>(
                new CalicoBook(store, clock),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                clock,
                new SplittableRandom(1),
                _ -> {});
        var owner = new TreeMap<>(Map.of("namespace", "default", "pod", pod, "node", NODE));
        var request = AssignRequest.on(NODE, AddressUse.WORKLOAD, Shell.NOON)
                .by(Requester.of(handle(pod), owner))
                .ipv4(AssignRequest.Ask.of(1));
        registrar.enact(new Request<BlockView, BlockChange, Assignment>(
                "give", (view, lost) -> BlockEngine.assign(view, request.after(lost))));
        return registrar
                .explain(new Request<BlockView, BlockChange, String>(
                        "look", view -> new Decision<>(addresses(view, handle(pod)), List.of(), List.of())))
                .outcome();
    }

    static String handle(String pod) {
        return "net." + pod;
    }

    private static String addresses(BlockView view, String handle) {
        return view.blocks(Family.IPV4).stream()
                .flatMap(block -> block.addressesOf(handle).stream())
                .map(Address::toString)
                .collect(Collectors.joining());
    }

    /// The pod runs and reports its address. On an API server that is two requests, so it is everywhere.
    public void report(String pod, String address) {
        var key = "/cadastre/api/v1/pods/default/" + pod;
        put(key, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"default","name":"%s"},\
            "spec":{"nodeName":"%s","containers":[{"name":"only","image":"any"}]}}\
            """.formatted(pod, NODE));
        var json = Json.readObject(key, store.get(key).orElseThrow().value());
        json.set("status", status(key, address));
        put(key, Json.write(json).utf8());
    }

    private static ObjectNode status(String key, String address) {
        return Json.readObject(
                key,
                Bytes.ofUtf8("{\"phase\":\"Running\",\"podIP\":\"%s\",\"podIPs\":[{\"ip\":\"%s\"}]}"
                        .formatted(address, address)));
    }

    List<String> handles() {
        return store.listAll(CalicoKeys.HANDLES).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.HANDLES.length()))
                .toList();
    }

    /// All that says who holds which address, with its revisions.
    List<Document> records() {
        return List.of(CalicoKeys.BLOCKS, CalicoKeys.HOSTS, CalicoKeys.HANDLES).stream()
                .flatMap(prefix -> store.listAll(prefix).documents().stream())
                .toList();
    }

    String lease() {
        return store.get(LEASE).map(document -> document.value().utf8()).orElse("");
    }
}
