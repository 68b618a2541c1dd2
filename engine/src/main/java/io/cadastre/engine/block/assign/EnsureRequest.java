package io.cadastre.engine.block.assign;

import io.cadastre.address.Family;
import java.time.Instant;

/// A request for a block on a host in each family for which the host reserves something.
public record EnsureRequest(String host, AssignRequest.Ask ipv4, AssignRequest.Ask ipv6, Instant now) {

    public AssignRequest.Ask ask(Family family) {
        return switch (family) {
            case IPV4 -> ipv4;
            case IPV6 -> ipv6;
        };
    }
}
