package io.cadastre.wire.spiderpool.objects;

import io.cadastre.wire.cni.GoText;
import java.util.List;

/// A field that breaks a rule, in the words of the API server.
public record ObjectFault(String field, Kind kind, String value, String detail) {

    /// How it breaks it.
    public enum Kind {
        INVALID,
        FORBIDDEN,
        REQUIRED,
        UNSUPPORTED
    }

    static ObjectFault invalid(String field, String value, String detail) {
        return new ObjectFault(field, Kind.INVALID, value, detail);
    }

    static ObjectFault forbidden(String field, String detail) {
        return new ObjectFault(field, Kind.FORBIDDEN, "", detail);
    }

    /// A field that is missing.
    static ObjectFault required(String field, String detail) {
        return new ObjectFault(field, Kind.REQUIRED, "", detail);
    }

    /// A number that is not among those that are allowed.
    static ObjectFault unsupported(String field, String value, String allowed) {
        return new ObjectFault(field, Kind.UNSUPPORTED, value, allowed);
    }

    /// One by itself, several in brackets.
    public static String text(List<ObjectFault> faults) {
        var texts = faults.stream().map(ObjectFault::toString).distinct().toList();
        return texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
    }

    @Override
    public String toString() {
        return switch (kind) {
            case INVALID -> "%s: Invalid value: %s: %s".formatted(field, GoText.quote(value), detail);
            case FORBIDDEN -> "%s: Forbidden: %s".formatted(field, detail);
            case REQUIRED -> "%s: Required value: %s".formatted(field, detail);
            case UNSUPPORTED -> "%s: Unsupported value: %s: supported values: %s".formatted(field, value, detail);
        };
    }
}
