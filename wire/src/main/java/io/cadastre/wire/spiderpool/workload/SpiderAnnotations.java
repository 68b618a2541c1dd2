package io.cadastre.wire.spiderpool.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.Networks.First;
import io.cadastre.engine.pool.Networks.Further;
import io.cadastre.engine.pool.Networks.Network;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What pods and namespaces say about addresses in their annotations.
///
/// Most values are JSON, read as Go does: names in any letter case, the last of two counts, null is
/// nothing, and what is unknown is ignored.
public final class SpiderAnnotations {

    private static final String PREFIX = "ipam.spidernet.io/";
    private static final String IPPOOL = PREFIX + "ippool";
    private static final String IPPOOLS = PREFIX + "ippools";
    private static final String ROUTES = PREFIX + "routes";
    private static final String DEFAULT_IPV4 = PREFIX + "default-ipv4-ippool";
    private static final String DEFAULT_IPV6 = PREFIX + "default-ipv6-ippool";
    private static final String DEFAULT_NETWORK = "v1.multus-cni.io/default-network";
    private static final String NETWORKS = "k8s.v1.cni.cncf.io/networks";

    /// In the order in which they count.
    private static final List<String> SUBNETS = List.of(PREFIX + "subnets", PREFIX + "subnet");

    private static final GoStruct POOLS = GoStruct.of("interface", "ipv4", "ipv6", "cleangateway");
    private static final GoStruct ROUTE = GoStruct.of("dst", "gw");
    private static final GoStruct NETWORK = GoStruct.of("namespace", "name", "interface");

    /// What the names of Kubernetes' objects consist of.
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    private SpiderAnnotations() {}

    /// What a pod says about pools.
    public static PoolPreference ofPod(SortedMap<String, String> annotations) {
        var subnet =
                SUBNETS.stream().filter(key -> annotations.containsKey(key)).findFirst();
        if (subnet.isPresent()) {
            return new PoolPreference.OfSubnet(subnet.get());
        }
        return withoutSubnets(annotations);
    }

    /// What a pod says about pools where subnets are off.
    public static PoolPreference withoutSubnets(SortedMap<String, String> annotations) {
        if (annotations.containsKey(IPPOOLS)) {
            return read(annotations, IPPOOLS, SpiderAnnotations::several);
        }
        if (annotations.containsKey(IPPOOL)) {
            return read(annotations, IPPOOL, value -> new PoolPreference.Single(value.names(value.object(POOLS))));
        }
        return new PoolPreference.Silent();
    }

    private static PoolPreference read(
            SortedMap<String, String> annotations, String key, Function<AnnotationValue, PoolPreference> reading) {
        try {
            return reading.apply(AnnotationValue.parse(key, annotations.getOrDefault(key, "")));
        } catch (UnreadableDocumentException unreadable) {
            return new PoolPreference.Broken(wrongInput(key, unreadable.fault()));
        }
    }

    /// The value of an annotation, in an object, where it can be read as any other field.
    record AnnotationValue(Fields fields, ObjectNode holder) {

        private static final String FIELD = "value";

        static AnnotationValue parse(String key, String text) {
            return of(new Fields(key), Json.readAnyValue(key, text));
        }

        private static AnnotationValue of(Fields fields, JsonNode json) {
            return new AnnotationValue(fields, Json.emptyObject().set(FIELD, json));
        }

        ObjectNode object(GoStruct struct) {
            return struct.read(fields.object(holder, FIELD));
        }

        List<ObjectNode> objects(GoStruct struct) {
            var objects = new ArrayList<ObjectNode>();
            fields.array(holder, FIELD)
                    .forEach(element -> objects.add(of(fields, element).object(struct)));
            return objects;
        }

        List<String> texts() {
            return fields.texts(holder, FIELD);
        }

        PoolNames names(ObjectNode pools) {
            return new PoolNames(fields.texts(pools, "ipv4"), fields.texts(pools, "ipv6"));
        }
    }

    private static String wrongInput(String key, String fault) {
        return "wrong input, invalid format of Pod annotation '%s': %s".formatted(key, fault);
    }

    private static PoolPreference several(AnnotationValue value) {
        return new PoolPreference.Several(value.objects(POOLS).stream()
                .map(item -> new PoolPreference.Item(
                        value.fields().text(item, "interface"),
                        value.names(item),
                        value.fields().flag(item, "cleangateway") ? GatewayUse.CLEAN : GatewayUse.DEFAULT_ROUTE))
                .toList());
    }

    /// What a namespace says about pools.
    public static PoolPreference ofNamespace(SortedMap<String, String> annotations) {
        try {
            return new PoolPreference.Single(
                    new PoolNames(names(annotations, DEFAULT_IPV4), names(annotations, DEFAULT_IPV6)));
        } catch (UnreadableDocumentException unreadable) {
            return new PoolPreference.Broken(unreadable.fault());
        }
    }

    /// @throws UnreadableDocumentException with a fault that names the annotation
    private static List<String> names(SortedMap<String, String> annotations, String key) {
        if (!annotations.containsKey(key)) {
            return List.of();
        }
        try {
            return AnnotationValue.parse(key, annotations.get(key)).texts();
        } catch (UnreadableDocumentException unreadable) {
            throw new UnreadableDocumentException(
                    key,
                    "failed to parse Namespace annotation '%s': %s".formatted(key, unreadable.fault()),
                    unreadable);
        }
    }

    /// The routes that a pod asks for.
    public static RequestedRoutes routes(SortedMap<String, String> annotations) {
        if (!annotations.containsKey(ROUTES)) {
            return RequestedRoutes.NONE;
        }
        try {
            var routes = new ArrayList<PodRoute>();
            var value = AnnotationValue.parse(ROUTES, annotations.get(ROUTES));
            for (var item : value.objects(ROUTE)) {
                var route = new PodRoute(
                        value.fields().text(item, "dst"), value.fields().text(item, "gw"));
                if (Stream.of(Family.values()).noneMatch(family -> leads(route, family))) {
                    return new RequestedRoutes.Broken(wrongInput(
                            ROUTES, "invalid route format 'dst: %s, gw: %s'".formatted(route.dst(), route.gw())));
                }
                routes.add(route);
            }
            return new RequestedRoutes.Listed(routes);
        } catch (UnreadableDocumentException unreadable) {
            return new RequestedRoutes.Broken(wrongInput(ROUTES, unreadable.fault()));
        }
    }

    private static boolean leads(PodRoute route, Family family) {
        return IpText.network(family, route.dst()).isPresent()
                && IpText.address(family, route.gw()).isPresent();
    }

    /// By which networks the interfaces of a pod are made.
    ///
    /// @param namespace that of the pod
    /// @param clusterNetwork that of the first interface if the pod does not say; empty if there is none
    /// @param home the namespace of networks that the cluster names without one
    public static Networks networks(
            SortedMap<String, String> annotations, String namespace, String clusterNetwork, String home) {
        return new Networks(
                first(annotations, clusterNetwork, home),
                annotations.containsKey(NETWORKS)
                        ? further(NETWORKS, annotations.get(NETWORKS), namespace)
                        : new Further.Unreadable("there is no annotation '%s'".formatted(NETWORKS)),
                home);
    }

    private static First first(SortedMap<String, String> annotations, String clusterNetwork, String home) {
        return Stream.of(
                        first(DEFAULT_NETWORK, annotations.getOrDefault(DEFAULT_NETWORK, ""), home),
                        first("MULTUS_CLUSTER_NETWORK", clusterNetwork, home))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(First.Unnamed::new);
    }

    /// Empty if the text names none.
    private static Optional<First> first(String key, String text, String namespace) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return switch (further(key, text, namespace)) {
            case Further.Unreadable unreadable -> Optional.of(unreadable);
            case Further.Listed(var networks) ->
                networks.stream().findFirst().map(network -> new First.Named(network.name()));
        };
    }

    /// Either a list in JSON, or names with commas between them.
    private static Further further(String key, String text, String namespace) {
        boolean json = text.chars().anyMatch(c -> c == '[' || c == '{' || c == '"');
        try {
            return new Further.Listed(
                    json
                            ? networks(AnnotationValue.parse(key, text), namespace)
                            : Stream.of(text.split(",", -1))
                                    .map(item -> network(key, item.strip(), namespace))
                                    .toList());
        } catch (UnreadableDocumentException unreadable) {
            return new Further.Unreadable("'%s': %s".formatted(key, unreadable.fault()));
        }
    }

    private static List<Network> networks(AnnotationValue value, String namespace) {
        var fields = value.fields();
        return value.objects(NETWORK).stream()
                .map(item -> network(
                        fields.key(),
                        fields.text(item, "namespace"),
                        fields.text(item, "name"),
                        fields.text(item, "interface"),
                        namespace))
                .toList();
    }

    private static Network network(String key, String item, String namespace) {
        int slash = item.indexOf('/');
        int at = item.indexOf('@');
        return network(
                key,
                slash < 0 ? "" : item.substring(0, slash),
                item.substring(slash + 1, at <= slash ? item.length() : at),
                at <= slash ? "" : item.substring(at + 1),
                namespace);
    }

    private static Network network(String key, String written, String name, String nic, String namespace) {
        if (!NAME.matcher(written.isEmpty() ? namespace : written).matches()
                || !NAME.matcher(name).matches()
                || nic.indexOf('@') >= 0) {
            throw new UnreadableDocumentException(
                    key,
                    "'%s' is not a network; write [NAMESPACE/]NAME[@INTERFACE]"
                            .formatted((written.isEmpty() ? "" : written + "/")
                                    + name
                                    + (nic.isEmpty() ? "" : "@" + nic)));
        }
        return new Network((written.isEmpty() ? namespace : written) + "/" + name, nic);
    }
}
