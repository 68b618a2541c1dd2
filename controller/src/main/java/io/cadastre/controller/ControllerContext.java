package io.cadastre.controller;

import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Change;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Registrar;
import io.cadastre.wire.survey.SurveyedBook;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// What a controller works with.
///
/// @param reports takes sentences for the operator: what was done and what failed
public record ControllerContext(
        Datastore store,
        Ledger ledger,
        InstantSource clock,
        MonotonicClock stopwatch,
        RandomGenerator dice,
        Pause pause,
        Consumer<String> reports) {

    /// The same with another store.
    public ControllerContext with(Datastore other) {
        return new ControllerContext(other, ledger, clock, stopwatch, dice, pause, reports);
    }

    public Instant now() {
        return clock.instant();
    }

    public <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book) {
        return new Registrar<>(
                new SurveyedBook<>(book, store, clock), ledger, Registrar.Limits.DEFAULT, clock, dice, pause);
    }
}
