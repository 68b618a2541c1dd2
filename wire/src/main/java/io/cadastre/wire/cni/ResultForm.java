package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Results as JSON. The members of the older forms stand in the order of their declaration in the
/// reference code, those of the newest in alphabetical order.
final class ResultForm {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ResultForm() {}

    static CniResult read(Members result, String version, ResultFamily family) {
        var dns = result.object("dns").map(CniDns::read).orElse(CniDns.NONE);
        return switch (family) {
            case OLDEST -> readOldest(result, version, dns);
            case MIDDLE, NEWEST ->
                new CniResult(
                        version,
                        each(result.objects("interfaces"), CniInterface::read),
                        each(result.objects("ips"), ResultForm::readIp),
                        each(result.objects("routes"), CniRoute::read),
                        dns);
        };
    }

    private static CniResult readOldest(Members result, String version, CniDns dns) {
        var ips = new ArrayList<CniIp>();
        var routes = new ArrayList<CniRoute>();
        for (var member : List.of("ip4", "ip6")) {
            result.object(member).ifPresent(ip -> {
                ips.add(readIp(ip, "ip"));
                routes.addAll(each(ip.objects("routes"), CniRoute::read));
            });
        }
        return new CniResult(version, List.of(), ips, routes, dns);
    }

    private static CniIp readIp(Members written) {
        var ip = readIp(written, "address");
        var index = written.integer("interface");
        return index.isPresent() ? ip.onInterface(index.getAsInt()) : ip;
    }

    private static CniIp readIp(Members written, String addressMember) {
        var ip = CniIp.of(InterfaceAddress.parse(written.text(addressMember)));
        var gateway = written.text("gateway");
        return gateway.isEmpty() ? ip : ip.withGateway(InterfaceAddress.parseAddress(gateway));
    }

    private static <T> List<T> each(List<Members> written, Function<Members, T> reading) {
        return written.stream().map(reading).toList();
    }

    static ObjectNode write(CniResult result, ResultFamily family) {
        return switch (family) {
            case OLDEST -> writeOldest(result);
            case MIDDLE -> writeMiddle(result);
            case NEWEST -> writeNewest(result);
        };
    }

    private static ObjectNode writeOldest(CniResult result) {
        var tree = NODES.objectNode().put("cniVersion", result.cniVersion());
        putOldest(tree, "ip4", result, Family.IPV4);
        putOldest(tree, "ip6", result, Family.IPV6);
        tree.set("dns", writeDns(result.dns()));
        return tree;
    }

    private static void putOldest(ObjectNode tree, String member, CniResult result, Family family) {
        result.first(family).ifPresent(ip -> {
            var written = tree.putObject(member).put("ip", text(ip.address()));
            putIfPresent(written, "gateway", ip.gateway());
            putUnlessEmpty(written, "routes", result.routesOf(family), ResultForm::writeRoute);
        });
    }

    private static ObjectNode writeMiddle(CniResult result) {
        var tree = NODES.objectNode().put("cniVersion", result.cniVersion());
        putUnlessEmpty(tree, "interfaces", result.interfaces(), ResultForm::writeOldInterface);
        putUnlessEmpty(tree, "ips", result.ips(), ResultForm::writeMiddleIp);
        putUnlessEmpty(tree, "routes", result.routes(), ResultForm::writeRoute);
        tree.set("dns", writeDns(result.dns()));
        return tree;
    }

    private static ObjectNode writeOldInterface(CniInterface written) {
        var tree = NODES.objectNode().put("name", written.name());
        putUnlessEmpty(tree, "mac", written.mac());
        putUnlessEmpty(tree, "sandbox", written.sandbox());
        return tree;
    }

    private static ObjectNode writeMiddleIp(CniIp ip) {
        var tree = NODES.objectNode()
                .put(
                        "version",
                        switch (ip.address().family()) {
                            case IPV4 -> "4";
                            case IPV6 -> "6";
                        });
        ip.interfaceIndex().ifPresent(index -> tree.put("interface", index));
        tree.put("address", text(ip.address()));
        putIfPresent(tree, "gateway", ip.gateway());
        return tree;
    }

    private static ObjectNode writeRoute(CniRoute route) {
        var tree = NODES.objectNode().put("dst", text(route.destination()));
        putIfPresent(tree, "gw", route.gateway());
        putUnlessZero(tree, "mtu", route.mtu());
        putUnlessZero(tree, "advmss", route.advertisedMss());
        putUnlessZero(tree, "priority", route.priority());
        route.table().ifPresent(table -> tree.put("table", table));
        route.scope().ifPresent(scope -> tree.put("scope", scope));
        return tree;
    }

    private static ObjectNode writeDns(CniDns dns) {
        var tree = NODES.objectNode();
        putUnlessEmpty(tree, "nameservers", dns.nameservers());
        putUnlessEmpty(tree, "domain", dns.domain());
        putUnlessEmpty(tree, "search", dns.search());
        putUnlessEmpty(tree, "options", dns.options());
        return tree;
    }

    private static ObjectNode writeNewest(CniResult result) {
        var tree = NODES.objectNode().put("cniVersion", result.cniVersion());
        if (!result.dns().isEmpty()) {
            tree.set("dns", CniJson.sorted(writeDns(result.dns())));
        }
        putUnlessEmpty(tree, "interfaces", result.interfaces(), ResultForm::writeInterface);
        putUnlessEmpty(tree, "ips", result.ips(), ResultForm::writeIp);
        putUnlessEmpty(tree, "routes", result.routes(), ResultForm::writeSortedRoute);
        return tree;
    }

    private static ObjectNode writeInterface(CniInterface written) {
        var tree = NODES.objectNode();
        putUnlessEmpty(tree, "mac", written.mac());
        putUnlessZero(tree, "mtu", written.mtu());
        tree.put("name", written.name());
        putUnlessEmpty(tree, "pciID", written.pciId());
        putUnlessEmpty(tree, "sandbox", written.sandbox());
        putUnlessEmpty(tree, "socketPath", written.socketPath());
        return tree;
    }

    private static ObjectNode writeIp(CniIp ip) {
        var tree = NODES.objectNode().put("address", text(ip.address()));
        putIfPresent(tree, "gateway", ip.gateway());
        ip.interfaceIndex().ifPresent(index -> tree.put("interface", index));
        return tree;
    }

    private static ObjectNode writeSortedRoute(CniRoute route) {
        return (ObjectNode) CniJson.sorted(writeRoute(route));
    }

    private static String text(InterfaceAddress address) {
        return address.toString();
    }

    private static void putIfPresent(ObjectNode tree, String name, Optional<?> value) {
        value.ifPresent(present -> tree.put(name, present.toString()));
    }

    private static void putUnlessZero(ObjectNode tree, String name, long number) {
        if (number != 0) {
            tree.put(name, number);
        }
    }

    private static void putUnlessEmpty(ObjectNode tree, String name, String text) {
        if (!text.isEmpty()) {
            tree.put(name, text);
        }
    }

    private static void putUnlessEmpty(ObjectNode tree, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = tree.putArray(name);
            texts.forEach(array::add);
        }
    }

    private static <T> void putUnlessEmpty(
            ObjectNode tree, String name, List<T> values, Function<T, ObjectNode> writing) {
        if (!values.isEmpty()) {
            ArrayNode array = tree.putArray(name);
            values.forEach(value -> array.add(writing.apply(value)));
        }
    }
}
