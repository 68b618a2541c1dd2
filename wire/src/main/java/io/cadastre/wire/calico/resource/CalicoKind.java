package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Holding;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoResource;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A kind of Calico's documents. A kind has its traits; its rules are those of any resource unless it says otherwise.
public interface CalicoKind extends ResourceKind {

    /// Those of a resource, which lies in etcd under its plural.
    static Traits traits(String word, String plural, PrinterColumn... columns) {
        return Traits.of(CalicoResource.VERSION, word, plural, List.of(CalicoKeys.RESOURCES + plural + "/"), columns);
    }

    default String key(String name) {
        return traits().keys().getFirst() + CalicoKeys.checkName(name);
    }

    /// @throws io.cadastre.wire.calico.UnparsableEntryException if a document that the allocator reads is damaged
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if another document is
    @Override
    default Bytes decode(String key, Bytes value) {
        return CalicoKeys.parse(key)
                .map(known -> CalicoDocument.decode(known, value).encode())
                .orElseGet(() -> Json.write(traits().fields().read(Json.readObject(key, value))));
    }

    /// What is wrong with a document by itself.
    default List<ResourceFault> faults(Fields reader, ObjectNode given) {
        reader.textMap(reader.object(given, CalicoResource.METADATA), "labels");
        reader.object(given, CalicoResource.SPEC);
        return List.of();
    }

    /// What keeps a document from being created beside the others.
    default List<ResourceFault> faultsOfCreation(ResourceView view, String name, Bytes created) {
        return List.of();
    }

    /// What keeps a document from replacing the stored one.
    default List<ResourceFault> faultsOfUpdate(String name, Bytes before, Bytes after) {
        return List.of();
    }

    /// A document as the caller gave it, in the form in which it is stored for the first time.
    default ObjectNode create(String name, ObjectNode given, UUID uid, Instant now) {
        return CalicoResource.create(word(), name, given, uid, now);
    }

    /// A document as the caller gave it, in the form in which it replaces the stored one.
    default ObjectNode replace(String name, ObjectNode given, ObjectNode stored) {
        return CalicoResource.replace(word(), name, given, stored);
    }

    /// What a document holds for as long as it is stored.
    default List<Holding> holdings(String name, Bytes document) {
        return List.of();
    }
}
