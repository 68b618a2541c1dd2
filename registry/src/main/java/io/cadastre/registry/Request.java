package io.cadastre.registry;

import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;

import java.util.function.Function;

/// What somebody asks the registrar for.
///
/// @param words what is asked, as the ledger tells it, for example `node-cidr add node-1`
/// @param law the verb of an engine with everything but the view filled in. It is asked again after
///     each conflict and each lost answer, so it must answer the same when it finds the request
///     already served.
public record Request<V, C extends Change, O>(String words, Function<V, Decision<C, O>> law) {}
