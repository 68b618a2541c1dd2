package io.cadastre.engine;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
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

    /// Looks at each of these, so that all that is missing is read together before anything is decided.
    ///
    /// @throws NotReadException with all that a look was missing
    public static <T> void lookAtAll(Collection<T> things, Consumer<? super T> look) {
        var allMissing = new LinkedHashSet<Missing>();
        for (var thing : things) {
            try {
                look.accept(thing);
            } catch (NotReadException notRead) {
                allMissing.addAll(notRead.allMissing);
            }
        }
        if (!allMissing.isEmpty()) {
            throw new NotReadException(List.copyOf(allMissing));
        }
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
