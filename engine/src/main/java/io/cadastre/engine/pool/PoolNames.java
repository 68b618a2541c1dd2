package io.cadastre.engine.pool;

import io.cadastre.address.Family;
import java.util.List;

/// The pools that are named, by family; each a name or a pattern.
public record PoolNames(List<String> ipv4, List<String> ipv6) {

    public static final PoolNames NONE = new PoolNames(List.of(), List.of());

    public PoolNames {
        ipv4 = List.copyOf(ipv4);
        ipv6 = List.copyOf(ipv6);
    }

    public List<String> of(Family family) {
        return switch (family) {
            case IPV4 -> ipv4;
            case IPV6 -> ipv6;
        };
    }

    public boolean empty() {
        return ipv4.isEmpty() && ipv6.isEmpty();
    }
}
