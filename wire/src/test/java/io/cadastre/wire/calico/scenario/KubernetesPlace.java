package io.cadastre.wire.calico.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.engine.block.IpPool;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.cadastre.wire.calico.crd.CalicoObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreObjects;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;

/// Calico's objects of one API group on a real API server, as our stores see them and as they are.
///
/// @param client of another program, to look at objects and to meddle
record KubernetesPlace(KubeApiServer server, ApiGroup group, KubernetesClient client) implements AutoCloseable {

    private static final Path DEFINITIONS = Path.of("../deploy/crds");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String METADATA = "metadata";
    private static final String FINALIZERS = "finalizers";
    private static final String NODES = "/cadastre/api/v1/nodes/";

    /// Defines the kinds of both groups.
    ///
    /// @param definitions the folder of the definitions
    static void install(KubeApiServer server, Path definitions) throws IOException {
        for (var group : ApiGroup.values()) {
            var file = "%s.yaml".formatted(group.apiVersion().replace('/', '-'));
            try (var stream = Files.newInputStream(definitions.resolve(file))) {
                server.install(
                        stream, own(group).stream().map(KubernetesPlace::path).toList());
            }
        }
    }

    /// With the definitions that are deployed.
    static void install(KubeApiServer server) throws IOException {
        install(server, DEFINITIONS);
    }

    static KubernetesPlace at(KubeApiServer server, ApiGroup group) {
        return new KubernetesPlace(server, group, server.client());
    }

    @Override
    public void close() {
        client.close();
    }

    /// What the group itself defines, and not what is Kubernetes' own.
    private static List<ApiResource> own(ApiGroup group) {
        return new CalicoObjects(group)
                .resources().stream()
                        .filter(resource -> resource.group().equals(group.group()))
                        .toList();
    }

    private static String path(ApiResource resource) {
        return "/apis/%s/%s/%s".formatted(resource.group(), resource.version(), resource.plural());
    }

    Datastore open() {
        return open(server.settings());
    }

    /// As the program opens it.
    Datastore open(KubernetesSettings settings) {
        return RoutedDatastore.of(List.of(
                new Route("/calico/", KubernetesDatastore.open(settings, new CalicoObjects(group), new Random(1))),
                new Route("/cadastre/", KubernetesDatastore.open(settings, new CoreObjects(), new Random(1)))));
    }

    /// A store after everything was deleted.
    Datastore openEmpty() {
        var store = open();
        for (var pool : store.listAll(CalicoKeys.POOLS).documents()) {
            scenery().noPool(store, pool);
        }
        for (var resource : own(group)) {
            client.raw(path(resource), "DELETE", null);
        }
        client.raw("/api/v1/nodes", "DELETE", null);
        return store;
    }

    ScenarioStore ground() {
        return new ScenarioStore(openEmpty(), scenery());
    }

    /// The object as it is; empty if there is none.
    Optional<ObjectNode> find(String plural, String name) {
        return find(address(plural, name));
    }

    private Optional<ObjectNode> find(String address) {
        return Optional.ofNullable(client.raw(address)).map(text -> (ObjectNode) read(text));
    }

    /// All objects as they are.
    List<JsonNode> list(String plural) {
        return List.copyOf(read(client.raw("/apis/%s/%s".formatted(group.apiVersion(), plural)))
                .path("items")
                .valueStream()
                .toList());
    }

    /// Another program writes an object as it stands.
    void overwrite(String plural, ObjectNode object) {
        var name = object.path(METADATA).path("name").asText();
        client.raw(address(plural, name), "PUT", object);
    }

    /// Another program creates an object.
    void create(String plural, ObjectNode object) {
        client.raw("/apis/%s/%s".formatted(group.apiVersion(), plural), "POST", object);
    }

    /// Another program deletes an object, at once.
    ///
    /// @param uid the object must have it
    void delete(String plural, String name, String uid) {
        var options = Json.emptyObject().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", uid);
        client.raw(address(plural, name), "DELETE", options);
    }

    private String address(String plural, String name) {
        return "/apis/%s/%s/%s".formatted(group.apiVersion(), plural, name);
    }

    static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException unreadable) {
            throw new AssertionError(text, unreadable);
        }
    }

    /// A document without what the server gives it.
    static JsonNode tree(String text) {
        var json = read(text);
        ((ObjectNode) json.path(METADATA)).remove(List.of("uid", "creationTimestamp"));
        return json;
    }

    ClusterFixture scenery() {
        return new Real(this);
    }

    /// Nodes are Kubernetes' own; a pool that is being deleted waits for its controller.
    private record Real(KubernetesPlace place) implements ClusterFixture {

        @Override
        public void node(Datastore store, String name, SortedMap<String, String> labels) {
            var json = Json.emptyObject().put("kind", "Node").put("apiVersion", "v1");
            var map = json.putObject(METADATA).put("name", name).putObject("labels");
            labels.forEach(map::put);
            ScenarioCluster.put(store, NODES + name, Json.write(json));
        }

        @Override
        public void pool(Datastore store, IpPool pool) {
            var key = CalicoKeys.POOLS + pool.name();
            var json = Json.readObject(key, DocumentFixture.document(pool));
            switch (pool.standing()) {
                case ENABLED, DISABLED -> ScenarioCluster.put(store, key, Json.write(json));
                case DELETING -> {
                    metadata(json).putArray(FINALIZERS).add("cadastre.test/busy");
                    ScenarioCluster.put(store, key, Json.write(json));
                    remove(store, store.get(key).orElseThrow());
                }
                case NOT_ALLOCATABLE -> {
                    ScenarioCluster.put(store, key, Json.write(json));
                    place.putStatus(pool.name(), (ObjectNode) json.path("status"));
                }
            }
        }

        @Override
        public void noPool(Datastore store, Document pool) {
            var json = Json.readObject(pool.key(), pool.value());
            if (metadata(json).has(FINALIZERS)) {
                metadata(json).remove(FINALIZERS);
                ScenarioCluster.put(store, pool.key(), Json.write(json));
            } else {
                remove(store, pool);
            }
        }

        private static void remove(Datastore store, Document pool) {
            ScenarioCluster.require(store.commit(List.of(new Write.Delete(pool.key(), pool.revision()))));
        }

        private static ObjectNode metadata(ObjectNode json) {
            return (ObjectNode) json.path(METADATA);
        }
    }

    /// The newer group takes it by a way of its own only.
    private void putStatus(String pool, ObjectNode status) {
        var suffix = group == ApiGroup.PROJECT_V3 ? "/status" : "";
        var address = address("ippools", pool);
        var object = find(address).orElseThrow();
        object.set("status", status);
        client.raw(address + suffix, "PUT", object);
    }
}
