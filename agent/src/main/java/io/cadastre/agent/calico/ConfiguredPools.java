package io.cadastre.agent.calico;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.IpPool;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.cni.InterfaceAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The pools that a configuration names, by prefix or by name.
sealed interface ConfiguredPools {

    record Chosen(List<Prefix> cidrs) implements ConfiguredPools {
        public Chosen {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// One of them is not a pool, in the words of Calico.
    record Refused(String sentence) implements ConfiguredPools {}

    static ConfiguredPools of(List<String> texts, Family family, List<IpPool> known) {
        var cidrs = new ArrayList<Prefix>();
        for (var text : texts) {
            var cidr = find(text, known);
            if (cidr.isEmpty()) {
                return new Refused(
                        "error parsing pool %s: invalid CIDR address: %s".formatted(GoText.quote(text), text));
            }
            if (cidr.get().family() != family) {
                return new Refused("%s isn't a %s address"
                        .formatted(GoText.quote(cidr.get().first().toString()), family));
            }
            cidrs.add(cidr.get());
        }
        return new Chosen(cidrs);
    }

    private static Optional<Prefix> find(String text, List<IpPool> known) {
        try {
            return Optional.of(InterfaceAddress.parse(text).network());
        } catch (CniException _) {
            return known.stream()
                    .filter(pool -> pool.name().equals(text))
                    .findFirst()
                    .map(IpPool::cidr);
        }
    }
}
