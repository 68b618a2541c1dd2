package io.cadastre.wire.calico.scenario;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.IpPool;
import java.util.SortedMap;
import java.util.TreeMap;

/// Short words for what the scenarios need.
final class Words {

    private Words() {}

    static Prefix prefix(String text) {
        return Prefix.parse(text);
    }

    static Address address(String text) {
        return Address.parse(text);
    }

    static IpPool pool(String name, String cidr) {
        return IpPool.of(name, prefix(cidr));
    }

    static IpPool pool(String name, String cidr, int blockLength) {
        return pool(name, cidr).withBlockLength(blockLength);
    }

    /// Keys and values by turns.
    static SortedMap<String, String> labels(String... keysAndValues) {
        var labels = new TreeMap<String, String>();
        for (int index = 0; index < keysAndValues.length; index += 2) {
            labels.put(keysAndValues[index], keysAndValues[index + 1]);
        }
        return labels;
    }
}
