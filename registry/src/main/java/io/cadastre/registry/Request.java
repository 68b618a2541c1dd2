package io.cadastre.registry;

import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/// A request to the registrar.
///
/// @param words what is asked, as the ledger records it, for example `node-cidr add node-1`
/// @param law the verb of an engine with everything but the view filled in. It is asked again after
///     each conflict and each lost answer, so it must answer the same when it finds the request
///     already served.
/// @param remainder what it comes to if something fails after parts of it were saved
/// @param listeners learn what happens to it
public record Request<V, C extends Change, O>(
        String words, Law<V, C, O> law, Remainder<C, O> remainder, List<RequestListener> listeners) {

    public Request {
        listeners = List.copyOf(listeners);
    }

    /// A request of which a part is as good as nothing: it fails, and when it is made again it goes on
    /// from there.
    public Request(String words, Law<V, C, O> law) {
        this(words, law, (_, _) -> Optional.empty(), List.of());
    }

    /// A request that is found served by what the view shows alone.
    public Request(String words, Function<V, Decision<C, O>> law) {
        this(words, (view, _) -> law.apply(view));
    }

    /// This, which comes to something even if only parts of it could be saved.
    ///
    /// @param stopped the outcome of what was saved, and the reason why there is no more
    public Request<V, C, O> stoppedAfter(BiFunction<List<Decision<C, O>>, String, O> stopped) {
        return new Request<>(words, law, (parts, why) -> Optional.of(stopped.apply(parts, why)), listeners);
    }

    /// This, with what happens to it reported there.
    public Request<V, C, O> reportedTo(RequestListener listener) {
        return new Request<>(words, law, remainder, List.of(listener));
    }

    /// What an engine decides about one request.
    @FunctionalInterface
    public interface Law<V, C extends Change, O> {

        /// Decides.
        ///
        /// @param earlier decisions about this request, oldest first. Of a whole one the commit was not
        ///     answered: it may have been applied, or not, or may yet be; one that met a conflict is not
        ///     among them. Of one that was too much for one commit there is the part that was saved
        Decision<C, O> decide(V view, List<Decision<C, O>> earlier);
    }

    /// What a request comes to that was saved in part.
    @FunctionalInterface
    public interface Remainder<C extends Change, O> {

        /// The outcome, if the caller can use one.
        ///
        /// @param parts what was saved, oldest first
        /// @param why there is no more
        Optional<O> outcome(List<Decision<C, O>> parts, String why);
    }
}
