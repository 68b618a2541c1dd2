package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.GoStruct.Spelling;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.util.List;

/// A kind of Spiderpool's objects that users write, with the rules of Spiderpool's webhooks.
public interface SpiderKind extends ResourceKind {

    static Traits traits(String word, String keys, PrinterColumn... columns) {
        var path = keys.substring(0, keys.length() - 1);
        return Traits.of(
                SpiderKeys.API_VERSION, word, path.substring(path.lastIndexOf('/') + 1), List.of(keys), columns);
    }

    /// The fields of an object with this spec.
    static GoStruct fields(GoStruct spec) {
        return GoStruct.KUBERNETES_OBJECT
                .with("spec", spec)
                .with("status", GoStruct.of("allocatedIPs", "controlledIPPools", "totalIPCount", "allocatedIPCount"));
    }

    @Override
    default Spelling spelling() {
        return Spelling.EXACT;
    }

    /// The names of the fields that its spec may have.
    List<String> specFields();

    /// Whether its objects are in namespaces. Their names in commands are the namespace, a slash and the name then.
    default boolean namespaced() {
        return false;
    }

    /// Whether its rules look at no other object.
    default boolean standsAlone() {
        return false;
    }

    /// Whether an object may be called this in commands.
    default boolean isName(String name) {
        var parts = List.of(name.split("/", -1));
        return parts.size() == (namespaced() ? 2 : 1) && !parts.contains("");
    }

    default String key(String name) {
        return traits().keys().getFirst() + name;
    }

    /// The object as it is stored, which must be one that can be read.
    Bytes encode(String name, ObjectNode json);

    /// The object with what a controller counts in its status.
    default ObjectNode counted(String name, ObjectNode json) {
        return json;
    }

    /// Adds what users may leave out.
    void complete(ObjectView view, Given given, ObjectNode json);

    /// Why an object whose deletion has begun is not changed.
    default String leaving() {
        return "cannot update a terminating " + word().substring("Spider".length());
    }

    List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode json);

    List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode json, ObjectNode before);

    /// Whether its status counts addresses that are in use, which may keep it from being deleted.
    default boolean countsAddresses() {
        return true;
    }

    /// In sentences of Spiderpool, for example `IPPool`.
    default String shortWord() {
        return word().substring("Spider".length());
    }

    default Decision<DocumentChange, ObjectOutcome> remove(ObjectView view, String name, Document stored, Instant now) {
        return new Decision<>(new ObjectOutcome.Deleted(), List.of(SpiderObjects.deleting(stored)), List.of());
    }
}
