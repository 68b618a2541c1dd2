package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import java.util.Optional;

/// What a pod was given, which the allocator writes. Its name is the pod's namespace, a slash and its name.
final class SpiderEndpointKind implements ResourceKind {

    private static final Traits TRAITS = SpiderKind.traits(
            SpiderEndpointDocument.KIND,
            SpiderKeys.ENDPOINTS,
            PrinterColumn.always("INTERFACE", "/status/current/ips/0/interface"),
            PrinterColumn.always("IPV4POOL", "/status/current/ips/0/ipv4Pool"),
            PrinterColumn.always("IPV4", "/status/current/ips/0/ipv4"),
            PrinterColumn.always("IPV6POOL", "/status/current/ips/0/ipv6Pool"),
            PrinterColumn.always("IPV6", "/status/current/ips/0/ipv6"),
            PrinterColumn.always("NODE", "/status/current/node"));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public boolean isCalled(String typed) {
        return ResourceKind.super.isCalled(typed) || typed.equalsIgnoreCase("se");
    }

    @Override
    public Optional<String> name(String key) {
        return key.startsWith(SpiderKeys.ENDPOINTS)
                ? Optional.of(key.substring(SpiderKeys.ENDPOINTS.length()))
                : Optional.empty();
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        var name = name(key).orElseThrow();
        int slash = name.indexOf('/');
        var pod = new PodKey(name.substring(0, Math.max(0, slash)), name.substring(slash + 1));
        return SpiderEndpointDocument.decode(pod, value).encode();
    }
}
