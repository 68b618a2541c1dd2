package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;

/// The claim of a host to a block, which the allocator writes.
final class AffinityKind implements CalicoKind {

    private static final Traits TRAITS = Traits.of(
            CalicoResource.VERSION,
            "BlockAffinity",
            "blockaffinities",
            List.of(CalicoKeys.HOSTS, CalicoKeys.VIRTUALS),
            PrinterColumn.always("NODE", "/spec/node"),
            PrinterColumn.always("CIDR", "/spec/cidr"),
            PrinterColumn.always("STATE", "/spec/state"),
            PrinterColumn.wide("TYPE", "/spec/type"));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public Optional<String> name(String key) {
        return CalicoKeys.parse(key)
                .flatMap(parsed -> parsed instanceof CalicoKey.OfAffinity(var owner, var cidr)
                        ? Optional.of(owner.name() + "-" + BlockKind.name(cidr))
                        : Optional.empty());
    }

    @Override
    public ObjectNode shown(String key, ObjectNode content) {
        var of = (CalicoKey.OfAffinity) CalicoKeys.parse(key).orElseThrow();
        var spec = Json.emptyObject();
        spec.set("state", content.path("state"));
        spec.put("node", of.owner().name()).put("type", of.owner().kind().word());
        spec.put("cidr", of.cidr().toString());
        spec.set("deleted", content.path("deleted"));
        return wrapped(key, spec);
    }
}
