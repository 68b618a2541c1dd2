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

    /// What is wrong, without the field.
    public String sentence() {
        return switch (kind) {
            case INVALID -> "Invalid value: %s: %s".formatted(GoText.quote(value), detail);
            case FORBIDDEN -> "Forbidden: " + detail;
            case REQUIRED -> "Required value: " + detail;
            case UNSUPPORTED -> "Unsupported value: %s: supported values: %s".formatted(value, detail);
        };
    }

    @Override
    public String toString() {
        return field + ": " + sentence();
    }
}
