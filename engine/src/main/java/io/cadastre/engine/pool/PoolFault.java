package io.cadastre.engine.pool;

import java.util.LinkedHashSet;
import java.util.List;

/// Why a pool does not give a pod an address, in upstream's words.
public record PoolFault(String pool, Rule rule, String sentence) implements PoolReason {

    /// What it did not pass.
    public enum Rule {
        TERMINATING,
        DISABLED,
        FAMILY,
        NODE_NAME,
        NODE_AFFINITY,
        NAMESPACE_NAME,
        NAMESPACE_AFFINITY,
        POD_AFFINITY,
        NETWORK,
        MASTER_SUBNET,
        DAMAGED,
        OTHER_NIC,
        USED_OUT,
        RECORDS_MAX
    }

    /// Several of them, as upstream joins errors: none twice, and one by itself.
    static String join(List<PoolFault> faults) {
        var sentences = new LinkedHashSet<String>();
        faults.forEach(fault -> sentences.add(fault.sentence()));
        return sentences.size() == 1 ? sentences.getFirst() : "[" + String.join(", ", sentences) + "]";
    }
}
