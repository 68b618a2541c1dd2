package io.cadastre.engine;

import java.util.List;
import java.util.stream.Collectors;

/// An engine asked its view for something that has not been read yet.
///
/// It is not a failure: the code that opened the view reads what is missing and asks the engine again.
/// So an engine decides as if it saw everything, and only what it needs is read. An engine that knows
/// that it needs several things names them all at once, so that they are read together.
public final class NotReadException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<Missing> allMissing;

    public NotReadException(Missing missing) {
        this(List.of(missing));
    }

    /// @param allMissing at least one
    public NotReadException(List<? extends Missing> allMissing) {
        // No stack trace: this is thrown on the way to most first decisions.
        super(null, null, false, false);
        this.allMissing = List.copyOf(allMissing);
    }

    /// Built on demand, since it is rarely needed.
    @Override
    public String getMessage() {
        return allMissing.stream().map(Missing::sentence).collect(Collectors.joining(", and "));
    }

    /// The first missing item.
    public Missing missing() {
        return allMissing.getFirst();
    }

    public List<Missing> allMissing() {
        return allMissing;
    }
}
