package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoResource;
import java.util.List;
import java.util.Optional;

/// A block of addresses, which the allocator writes.
public final class BlockKind implements CalicoKind {

    private static final Traits TRAITS = Traits.of(
            CalicoResource.VERSION,
            "IPAMBlock",
            "ipamblocks",
            List.of(CalicoKeys.BLOCKS),
            PrinterColumn.always("CIDR", "/spec/cidr"),
            PrinterColumn.always("AFFINITY", "/spec/affinity"),
            PrinterColumn.wideCount("FREE", "/spec/unallocated"),
            PrinterColumn.wideCount("SIZE", "/spec/allocations"));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public Optional<String> name(String key) {
        return CalicoKeys.parse(key)
                .flatMap(parsed ->
                        parsed instanceof CalicoKey.OfBlock(var cidr) ? Optional.of(name(cidr)) : Optional.empty());
    }

    /// The CIDR as a name, as a Kubernetes object has it.
    public static String name(Prefix cidr) {
        return cidr.toString().replaceAll("[./:]", "-");
    }

    @Override
    public ObjectNode shown(String key, ObjectNode content) {
        return wrapped(key, content);
    }
}
