package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.LabelSelector;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.subnet.AddressNumber;
import io.cadastre.engine.pool.subnet.ApplicationPool;
import io.cadastre.engine.pool.subnet.OwnerApplication;
import io.cadastre.engine.pool.subnet.ReclaimPolicy;
import io.cadastre.engine.pool.subnet.SubnetChange;
import io.cadastre.engine.pool.subnet.SubnetPool;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;

/// What binds the document of a pool to a subnet and to an application: owner references, labels and an annotation.
final class SubnetPoolDocument {

    private static final String PREFIX = "ipam.spidernet.io/";
    private static final String APPLICATION = PREFIX + "owner-application-";
    private static final String GROUP_VERSION = APPLICATION + "gv";
    private static final String APPLICATION_KIND = APPLICATION + "kind";
    private static final String APPLICATION_NAMESPACE = APPLICATION + "namespace";
    private static final String APPLICATION_NAME = APPLICATION + "name";
    private static final String APPLICATION_UID = APPLICATION + "uid";
    private static final String INTERFACE = PREFIX + "interface";
    private static final String IP_VERSION = PREFIX + "ip-version";
    private static final String RECLAIM = PREFIX + "ippool-reclaim";

    /// On pools of a SpiderSubnet, with its name.
    static final String SUBNET_LABEL = PREFIX + "owner-spider-subnet";

    /// The labels by which the pool of an application selects its pods.
    static final List<String> SELECTOR_LABELS = List.of(
            PREFIX + "app-api-group",
            PREFIX + "app-api-version",
            PREFIX + "app-kind",
            PREFIX + "app-namespace",
            PREFIX + "app-name");

    private SubnetPoolDocument() {}

    // ---- reading ----

    /// The pool with what binds it.
    ///
    /// @param subnets those that can control it
    static SubnetPool read(SpiderPoolDocument document, List<SpiderSubnetDocument> subnets) {
        var labels = labels(document.json());
        return new SubnetPool(document.pool(), controller(document.json(), labels, subnets), purpose(labels));
    }

    /// The pool with what binds it, where the subnet of the name that it has is the one that is meant.
    static SubnetPool read(SpiderPoolDocument document) {
        var labels = labels(document.json());
        var named = labels.getOrDefault(SUBNET_LABEL, "");
        return new SubnetPool(
                document.pool(),
                findController(document.json()).filter(named::equals).orElse(""),
                purpose(labels));
    }

    private static SortedMap<String, String> labels(ObjectNode json) {
        var reader = new Fields("");
        return reader.textMap(reader.object(json, Trees.METADATA), "labels");
    }

    /// The subnet that both the label and the owner reference name. One of that name that is not the same any more does
    /// not control it.
    private static String controller(
            ObjectNode json, SortedMap<String, String> labels, List<SpiderSubnetDocument> subnets) {
        var named = labels.getOrDefault(SUBNET_LABEL, "");
        return subnets.stream()
                .filter(subnet -> subnet.subnet().name().equals(named))
                .filter(subnet -> json.at("/metadata/ownerReferences")
                        .valueStream()
                        .anyMatch(owner -> isController(owner)
                                && owner.path("name").asText().equals(named)
                                && owner.path("uid").asText().equals(subnet.uid())))
                .map(_ -> named)
                .findFirst()
                .orElse("");
    }

    private static boolean isController(JsonNode owner) {
        return owner.path("controller").asBoolean()
                && owner.path("kind").asText().equals(SpiderSubnetDocument.KIND);
    }

    /// The name of the subnet that controls the pool by its owner reference, whether it exists or not.
    static Optional<String> findController(ObjectNode pool) {
        return pool.at("/metadata/ownerReferences")
                .valueStream()
                .filter(SubnetPoolDocument::isController)
                .map(owner -> owner.path("name").asText())
                .findFirst();
    }

    private static Optional<ApplicationPool> purpose(SortedMap<String, String> labels) {
        if (!labels.keySet()
                .containsAll(List.of(
                        GROUP_VERSION,
                        APPLICATION_KIND,
                        APPLICATION_NAMESPACE,
                        APPLICATION_NAME,
                        APPLICATION_UID,
                        INTERFACE))) {
            return Optional.empty();
        }
        return Optional.of(new ApplicationPool(
                new OwnerApplication(
                        labels.getOrDefault(GROUP_VERSION, "").replace('_', '/'),
                        labels.getOrDefault(APPLICATION_KIND, ""),
                        labels.getOrDefault(APPLICATION_NAMESPACE, ""),
                        labels.getOrDefault(APPLICATION_NAME, "")),
                labels.getOrDefault(APPLICATION_UID, ""),
                labels.getOrDefault(INTERFACE, ""),
                labels.getOrDefault(RECLAIM, "").equals("true") ? ReclaimPolicy.RECLAIM : ReclaimPolicy.KEEP));
    }

    /// Whether the pool is made for an application.
    static boolean isForApplication(ObjectNode pool) {
        return labels(pool).containsKey(APPLICATION_NAME);
    }

    // ---- writing ----

    /// Has the subnet control the pool, which inherits what it leaves to it. An empty list of routes is one. The
    /// finalizer keeps the pool until its last address is released, also if its subnet is deleted: a pool that was
    /// written past the webhooks has none.
    static void adopt(ObjectNode pool, SpiderSubnetDocument subnet, PoolSpec inherited) {
        var metadata = Trees.child(pool, Trees.METADATA);
        SpiderPoolRules.putFinalizer(metadata);
        metadata.set(
                "labels",
                Trees.sorted(Trees.child(metadata, "labels")
                        .put(SUBNET_LABEL, subnet.subnet().name())));
        var references = metadata.withArray("ownerReferences");
        var others = references
                .valueStream()
                .filter(owner -> !owner.path("controller").asBoolean())
                .toList();
        references.removeAll();
        others.forEach(references::add);
        references.add(subnet.ownerReference());
        var spec = Trees.child(pool, Trees.SPEC);
        if (Fields.absent(spec.path("gateway"))) {
            inherited.gateway().ifPresent(gateway -> spec.put("gateway", gateway.toString()));
        }
        if (Fields.absent(spec.path("routes")) && !inherited.routes().isEmpty()) {
            putRoutes(spec, inherited.routes());
        }
    }

    private static void putRoutes(ObjectNode spec, List<PodRoute> routes) {
        var array = spec.putArray("routes");
        routes.forEach(route -> array.addObject().put("dst", route.dst()).put("gw", route.gw()));
    }

    /// The pool of an application as it is created.
    static ObjectNode create(SubnetChange.CreatePool change, SpiderSubnetDocument subnet, UUID uid, String time) {
        var json = Json.emptyObject();
        json.put("apiVersion", SpiderKeys.API_VERSION).put("kind", SpiderPoolDocument.KIND);
        var metadata = json.putObject(Trees.METADATA);
        metadata.put("creationTimestamp", time);
        metadata.put("name", change.pool()).put("uid", uid.toString());
        var spec = json.putObject(Trees.SPEC);
        spec.put("subnet", change.spec().subnet().toString());
        change.spec().gateway().ifPresent(gateway -> spec.put("gateway", gateway.toString()));
        if (!change.spec().routes().isEmpty()) {
            putRoutes(spec, change.spec().routes());
        }
        var labels = spec.putObject("podAffinity").putObject("matchLabels");
        change.spec()
                .affinity()
                .pods()
                .map(LabelSelector::matchLabels)
                .ifPresent(wanted -> wanted.forEach(labels::put));
        adapt(json, change.spec().effective(), change.purpose(), change.number());
        SpiderPoolRules.fillIn(json);
        adopt(json, subnet, change.spec());
        return Trees.sorted(json);
    }

    /// Gives the pool of an application these addresses, and has it belong to that application.
    static void adapt(ObjectNode pool, RangeSet addresses, ApplicationPool purpose, String number) {
        var metadata = Trees.child(pool, Trees.METADATA);
        var application = purpose.application();
        var labels = Trees.child(metadata, "labels");
        labels.put(GROUP_VERSION, application.groupVersion());
        labels.put(APPLICATION_KIND, application.kind());
        labels.put(APPLICATION_NAMESPACE, application.namespace());
        labels.put(APPLICATION_NAME, application.name());
        labels.put(APPLICATION_UID, purpose.uid());
        labels.put(INTERFACE, purpose.nic());
        labels.put(RECLAIM, Boolean.toString(purpose.reclaim() == ReclaimPolicy.RECLAIM));
        var spec = Trees.child(pool, Trees.SPEC);
        IpText.network(spec.path("subnet").asText())
                .ifPresent(subnet -> labels.put(IP_VERSION, subnet.family().toString()));
        metadata.set("labels", Trees.sorted(labels));
        metadata.putObject("annotations").put(AddressNumber.ANNOTATION, number);
        spec.remove("excludeIPs");
        var ips = spec.putArray("ips");
        IpText.texts(addresses).forEach(ips::add);
    }
}
