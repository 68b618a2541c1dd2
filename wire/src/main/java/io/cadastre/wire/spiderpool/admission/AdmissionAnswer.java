package io.cadastre.wire.spiderpool.admission;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.spiderpool.objects.ObjectFault;
import java.util.List;

/// What becomes of an object that an API server asks about.
public sealed interface AdmissionAnswer {

    /// It may be stored or deleted as it is.
    record Allowed() implements AdmissionAnswer {}

    /// It is completed first.
    ///
    /// @param patch a JSON Patch (RFC 6902)
    /// @param fault why it could be completed in part only; empty if it is whole
    record Patched(Bytes patch, String fault) implements AdmissionAnswer {}

    /// It is refused.
    ///
    /// @param faults the fields that break a rule; none if another rule is broken
    record Denied(Code code, String message, List<ObjectFault> faults) implements AdmissionAnswer {

        public Denied {
            faults = List.copyOf(faults);
        }

        public Denied(Code code, String message) {
            this(code, message, List.of());
        }
    }

    /// The kind of a refusal, as the API server itself has it.
    enum Code {
        BAD_REQUEST(400, "BadRequest"),
        FORBIDDEN(403, "Forbidden"),
        ALREADY_EXISTS(409, "AlreadyExists"),
        INVALID(422, "Invalid"),
        INTERNAL_ERROR(500, "InternalError");

        private final int number;
        private final String reason;

        Code(int number, String reason) {
            this.number = number;
            this.reason = reason;
        }

        int number() {
            return number;
        }

        String reason() {
            return reason;
        }
    }

    /// What the API server calls a broken rule of a field.
    static String reason(ObjectFault.Kind kind) {
        return switch (kind) {
            case INVALID -> "FieldValueInvalid";
            case FORBIDDEN -> "FieldValueForbidden";
            case REQUIRED -> "FieldValueRequired";
            case UNSUPPORTED -> "FieldValueNotSupported";
        };
    }
}
