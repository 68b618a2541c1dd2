package io.cadastre.wire.book;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.GoStruct.Spelling;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One kind of stored documents as users see it. `get` shows any kind by what is written here; kinds that users write
/// have a type of their dialect, with their rules.
public interface ResourceKind {

    /// What a kind is called, where its documents lie, and what tables show.
    ///
    /// @param apiVersion as documents have it
    /// @param word as documents name it, for example `IPPool`
    /// @param plural in commands and in paths of the Kubernetes API
    /// @param keys what the keys of its documents begin with
    /// @param fields those that a document of users may have; none if users do not write the kind
    /// @param columns what a table shows after the name
    record Traits(
            String apiVersion,
            String word,
            String plural,
            List<String> keys,
            GoStruct fields,
            List<PrinterColumn> columns) {

        public Traits {
            keys = List.copyOf(keys);
            columns = List.copyOf(columns);
        }

        /// The kind with these columns, which users do not write.
        public static Traits of(
                String apiVersion, String word, String plural, List<String> keys, PrinterColumn... columns) {
            return new Traits(apiVersion, word, plural, keys, GoStruct.of(), List.of(columns));
        }

        public Traits writtenWith(GoStruct struct) {
            return new Traits(apiVersion, word, plural, keys, struct, columns);
        }
    }

    Traits traits();

    /// Whether users write the kind.
    default boolean isWritten() {
        return !traits().fields().names().isEmpty();
    }

    /// How the peer that owns the kind reads the names of fields.
    default Spelling spelling() {
        return Spelling.ANY_CASE;
    }

    /// The name of the document under a key; empty if the key is of another kind.
    default Optional<String> name(String key) {
        var keys = traits().keys().getFirst();
        return key.startsWith(keys)
                ? Optional.of(key.substring(keys.length())).filter(name -> !name.isEmpty() && name.indexOf('/') < 0)
                : Optional.empty();
    }

    /// The document under a key, as its kind writes it.
    ///
    /// @throws RuntimeException of its dialect if it cannot be read
    Bytes decode(String key, Bytes value);

    /// The decoded document with kind, name and spec.
    default ObjectNode shown(String key, ObjectNode content) {
        return content;
    }

    /// A document that is stored without kind and name, with them.
    default ObjectNode wrapped(String key, ObjectNode spec) {
        var json = Json.emptyObject();
        json.put("kind", word()).put("apiVersion", traits().apiVersion());
        json.putObject("metadata").put("name", name(key).orElseThrow());
        json.set("spec", spec);
        return json;
    }

    default String word() {
        return traits().word();
    }

    /// In front of a name, for example `ippool/default`.
    default String singular() {
        return word().toLowerCase(Locale.ROOT);
    }

    /// Whether a user who types this means the kind.
    default boolean isCalled(String typed) {
        var lower = typed.toLowerCase(Locale.ROOT);
        return lower.equals(singular()) || lower.equals(traits().plural());
    }

    /// Kind and name as Calico prints them.
    default String named(String name) {
        return "%s(%s)".formatted(word(), name);
    }
}
