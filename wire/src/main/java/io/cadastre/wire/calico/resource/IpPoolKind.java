package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Holding;
import io.cadastre.engine.block.IpPool;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.calico.IpPoolDocument;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A range of which hosts claim blocks.
final class IpPoolKind implements CalicoKind {

    private static final Traits TRAITS = CalicoKind.traits(
                    "IPPool",
                    "ippools",
                    PrinterColumn.always("CIDR", "/spec/cidr"),
                    PrinterColumn.always("SELECTOR", "/spec/nodeSelector"),
                    PrinterColumn.wide("BLOCKSIZE", "/spec/blockSize"),
                    PrinterColumn.wide("USES", "/spec/allowedUses"),
                    PrinterColumn.wide("MODE", "/spec/assignmentMode"),
                    PrinterColumn.wide("DISABLED", "/spec/disabled"))
            .writtenWith(CalicoStructs.POOL);

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public List<ResourceFault> faults(Fields reader, ObjectNode given) {
        return IpPoolRules.faults(reader, given);
    }

    @Override
    public List<ResourceFault> faultsOfCreation(ResourceView view, String name, Bytes created) {
        return IpPoolRules.faultsOfCreation(pool(name, created), view);
    }

    @Override
    public List<ResourceFault> faultsOfUpdate(String name, Bytes before, Bytes after) {
        return IpPoolRules.faultsOfUpdate(pool(name, before), pool(name, after));
    }

    /// The prefix is stored in canonical spelling.
    @Override
    public ObjectNode create(String name, ObjectNode given, UUID uid, Instant now) {
        return IpPoolDocument.create(name, canonical(given), uid, now).json();
    }

    @Override
    public ObjectNode replace(String name, ObjectNode given, ObjectNode stored) {
        return document(name, Json.write(stored))
                .replacedBy(spelledAs(stored, canonical(given)))
                .json();
    }

    @Override
    public List<Holding> holdings(String name, Bytes document) {
        return List.of(new Holding(
                pool(name, document).cidr().range(), Holding.Level.POOL, "pool/" + name, Holding.State.HELD));
    }

    static IpPool pool(String name, Bytes content) {
        return document(name, content).pool();
    }

    private static IpPoolDocument document(String name, Bytes content) {
        return (IpPoolDocument) CalicoDocument.decode(new CalicoKey.OfPool(name), content);
    }

    private static ObjectNode canonical(ObjectNode json) {
        if (json.get(CalicoResource.SPEC) instanceof ObjectNode spec) {
            IpPoolRules.prefix(spec.path(IpPoolRules.CIDR).asText())
                    .ifPresent(prefix -> spec.put(IpPoolRules.CIDR, prefix.toString()));
        }
        return json;
    }

    /// The pool with its prefix in the spelling that is stored, if it is the same: where a prefix must not
    /// change, its text must not.
    private static ObjectNode spelledAs(ObjectNode stored, ObjectNode json) {
        var former = stored.path(CalicoResource.SPEC).path(IpPoolRules.CIDR).asText();
        if (json.get(CalicoResource.SPEC) instanceof ObjectNode spec
                && IpPoolRules.prefix(former).isPresent()
                && IpPoolRules.prefix(former)
                        .equals(IpPoolRules.prefix(spec.path(IpPoolRules.CIDR).asText()))) {
            spec.put(IpPoolRules.CIDR, former);
        }
        return json;
    }
}
