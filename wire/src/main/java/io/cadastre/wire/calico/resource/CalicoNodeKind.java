package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.calico.CalicoStructs;
import java.time.Instant;
import java.util.UUID;

/// Calico's own record of a node.
final class CalicoNodeKind implements CalicoKind {

    private static final Traits TRAITS = CalicoKind.traits(
                    "Node", "nodes", PrinterColumn.wide("CREATED", "/metadata/creationTimestamp"))
            .writtenWith(CalicoStructs.NODE);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public ObjectNode create(String name, ObjectNode given, UUID uid, Instant now) {
        var json = CalicoKind.super.create(name, given, uid, now);
        CalicoResource.object(json, CalicoResource.STATUS);
        return json;
    }
}
