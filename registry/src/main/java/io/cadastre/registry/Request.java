package io.cadastre.registry;

import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;

import java.util.List;
import java.util.function.Function;

/// What somebody asks the registrar for.
///
/// @param words what is asked, as the ledger tells it, for example `node-cidr add node-1`
/// @param law the verb of an engine with everything but the view filled in. It is asked again after
///     each conflict and each lost answer, so it must answer the same when it finds the request
///     already served.
public record Request<V, C extends Change, O>(String words, Law<V, C, O> law) {

    /// A request that is found served by what the view shows alone.
    public Request(String words, Function<V, Decision<C, O>> law) {
        this(words, (view, _) -> law.apply(view));
    }

    /// What an engine decides about one request.
    @FunctionalInterface
    public interface Law<V, C extends Change, O> {

        /// Decides.
        ///
        /// @param lost earlier decisions about this request whose commits were not answered, oldest
        ///     first: each may have been applied, or not, or may yet be. One that met a conflict is not
        ///     among them
        Decision<C, O> decide(V view, List<Decision<C, O>> lost);
    }
}
