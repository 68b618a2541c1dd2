package io.cadastre.wire.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.Members;
import java.util.List;
import java.util.function.Function;

/// How the forms of the agent's API are read and written. Unknown members are passed over, and a member
/// that is null is one that is missing.
final class Form {

    /// More than one pod has of anything.
    static final int ENTRIES_MAX = 1024;

    private Form() {}

    /// Reads a form that is one JSON object.
    ///
    /// @param required the members that must be there, in the order in which they are missed
    /// @throws UnreadableFormException if it is not one
    static <T> T read(Bytes body, List<String> required, Function<Members, T> reading) {
        try {
            var members = Members.parse(body);
            require(members, "", required);
            return reading.apply(members);
        } catch (CniException unreadable) {
            throw UnreadableFormException.malformed(unreadable.error().sentence(), unreadable);
        }
    }

    /// @param path where the members stand in the form
    static void require(Members members, String path, List<String> required) {
        var missing = required.stream()
                .filter(name -> members.find(name).isEmpty())
                .map(name -> path + name)
                .toList();
        if (!missing.isEmpty()) {
            throw UnreadableFormException.incomplete(missing);
        }
    }

    static List<String> texts(Members members, String name) {
        return bounded(name, members.texts(name));
    }

    static List<Members> objects(Members members, String name) {
        return bounded(name, members.objects(name));
    }

    private static <T> List<T> bounded(String name, List<T> entries) {
        if (entries.size() > ENTRIES_MAX) {
            throw UnreadableFormException.malformed(
                    "%s in body has %d entries, more than %d".formatted(name, entries.size(), ENTRIES_MAX));
        }
        return entries;
    }

    static Bytes write(ObjectNode form) {
        return Bytes.ofUtf8(CniJson.compact(form));
    }

    static void putTexts(ObjectNode form, String name, List<String> texts) {
        var array = form.putArray(name);
        texts.forEach(array::add);
    }

    static void putUnlessEmpty(ObjectNode form, String name, String text) {
        if (!text.isEmpty()) {
            form.put(name, text);
        }
    }

    static void putUnlessEmpty(ObjectNode form, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            putTexts(form, name, texts);
        }
    }
}
