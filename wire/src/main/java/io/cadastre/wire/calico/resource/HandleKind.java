package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.json.Json;
import java.util.List;

/// What the addresses of one pod are released by, which the allocator writes.
final class HandleKind implements CalicoKind {

    private static final Traits TRAITS = Traits.of(
            CalicoResource.VERSION,
            "IPAMHandle",
            "ipamhandles",
            List.of(CalicoKeys.HANDLES),
            PrinterColumn.always("BLOCKS", "/spec/block"));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public ObjectNode shown(String key, ObjectNode content) {
        var spec = Json.emptyObject().put("handleID", name(key).orElseThrow());
        spec.setAll(content);
        return wrapped(key, spec);
    }
}
