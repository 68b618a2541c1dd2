package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.Layout;
import io.cadastre.cli.command.Layout.Column;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// A stored document in the form in which users read it: with kind, name and a spec.
record ShownResource(ResourceKind kind, String name, JsonNode document) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /// All of a kind that can be read, in the order of their keys.
    static List<ShownResource> all(Datastore store, ResourceKind kind) {
        return kind.traits().keys().stream()
                .flatMap(keys -> store.listAll(keys).documents().stream())
                .flatMap(stored -> shown(kind, stored))
                .toList();
    }

    /// Calico passes over what it cannot read, and so do all lists here; `ipam check` counts it.
    private static Stream<ShownResource> shown(ResourceKind kind, Document stored) {
        try {
            return kind.name(stored.key()).map(name -> shown(kind, name, stored)).stream();
        } catch (UnparsableEntryException | UnreadableDocumentException _) {
            return Stream.empty();
        }
    }

    private static ShownResource shown(ResourceKind kind, String name, Document stored) {
        var document = kind.shown(stored.key(), tree(kind.decode(stored.key(), stored.value())));
        if (document.get("metadata") instanceof ObjectNode metadata) {
            metadata.put("resourceVersion", Long.toString(stored.revision()));
        }
        return new ShownResource(kind, name, document);
    }

    /// The document with its numbers as numbers, which the printers need.
    private static ObjectNode tree(Bytes content) {
        try {
            return (ObjectNode) MAPPER.readTree(content.toByteArray());
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    /// The table of a kind as it is at a moment.
    static Layout<ShownResource> layout(ResourceKind kind, Instant now) {
        var columns = new ArrayList<Column<ShownResource>>();
        columns.add(Column.always("NAME", ShownResource::name));
        kind.traits().columns().forEach(column -> columns.add(column(column, now)));
        return new Layout<>(
                columns, shown -> "%s/%s".formatted(shown.kind().singular(), shown.name()), ShownResource::document);
    }

    private static Column<ShownResource> column(PrinterColumn column, Instant now) {
        Function<ShownResource, String> cell = shown -> column.cell().apply(shown.document(), now);
        return switch (column.width()) {
            case ALWAYS -> Column.always(column.heading(), cell);
            case WIDE -> Column.wide(column.heading(), cell);
        };
    }
}
