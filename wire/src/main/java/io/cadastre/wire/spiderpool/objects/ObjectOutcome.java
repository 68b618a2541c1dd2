package io.cadastre.wire.spiderpool.objects;

import io.cadastre.engine.Outcome;
import java.util.List;

/// What a request to store or to delete an object came to.
public sealed interface ObjectOutcome extends Outcome {

    @Override
    default String sentence() {
        return switch (this) {
            case Created _ -> "created";
            case Configured _ -> "configured";
            case Unchanged _ -> "unchanged";
            case Deleted _ -> "deleted";
            case Terminating(var addresses) -> "deleted with the last of its addresses in use, now " + addresses;
            case Refused(var why) -> "refused: " + why;
        };
    }

    record Created() implements ObjectOutcome {}

    record Configured() implements ObjectOutcome {}

    /// It was stored like this already.
    record Unchanged() implements ObjectOutcome {}

    record Deleted() implements ObjectOutcome {}

    /// Its deletion has begun, and ends when none of its addresses is in use any more.
    record Terminating(int addresses) implements ObjectOutcome {}

    /// It was not stored, or not deleted.
    record Refused(String sentence) implements ObjectOutcome {}

    /// It breaks rules.
    static Refused invalid(String kind, String name, List<ObjectFault> faults) {
        return new Refused(
                "%s.spiderpool.spidernet.io \"%s\" is invalid: %s".formatted(kind, name, ObjectFault.text(faults)));
    }

    /// Its name is taken.
    static Refused taken(SpiderKind kind, String name) {
        return new Refused("%s.spiderpool.spidernet.io \"%s\" already exists".formatted(kind.word(), name));
    }

    /// Its deletion has begun.
    static Refused terminating(SpiderKind kind, String name) {
        return new Refused(
                "%s.spiderpool.spidernet.io \"%s\" is forbidden: %s".formatted(kind.word(), name, kind.leaving()));
    }
}
