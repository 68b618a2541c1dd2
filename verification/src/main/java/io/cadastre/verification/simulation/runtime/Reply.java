package io.cadastre.verification.simulation.runtime;

import java.util.function.Consumer;

/// What came of a request: an answer, or why there is none.
///
/// @param <A> the answer
public sealed interface Reply<A> {

    record Answered<A>(A answer) implements Reply<A> {}

    /// The registrar gave the request up.
    record Unsettled<A>(boolean perhapsDone) implements Reply<A> {}

    /// It was done, and the ledger could not be written.
    record Unrecorded<A>() implements Reply<A> {}

    /// The store could not be read.
    record Failed<A>() implements Reply<A> {}

    /// Whether the request changed nothing, for certain.
    private boolean nothingDone() {
        return switch (this) {
            case Unsettled<A>(boolean perhapsDone) -> !perhapsDone;
            case Failed<A> _ -> true;
            case Answered<A> _, Unrecorded<A> _ -> false;
        };
    }

    default boolean answered() {
        return this instanceof Answered<A>;
    }

    default Reply<A> ifAnswered(Consumer<A> told) {
        if (this instanceof Answered<A>(var answer)) {
            told.accept(answer);
        }
        return this;
    }

    default Reply<A> ifNothingDone(Runnable told) {
        if (nothingDone()) {
            told.run();
        }
        return this;
    }

    /// If the registrar did not bring the request to its end.
    default Reply<A> ifUnfinished(Runnable told) {
        if (this instanceof Unsettled<A> || this instanceof Unrecorded<A>) {
            told.run();
        }
        return this;
    }
}
