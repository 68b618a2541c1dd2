package io.cadastre.agent.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Change;
import io.cadastre.registry.Book;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Recorder;
import io.cadastre.registry.Registrar;
import io.cadastre.wire.kubernetes.RandomUid;
import io.cadastre.wire.survey.SurveyedBook;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// What a plugin decides with.
///
/// @param commandOptions the options with which a command uses the same store, as a shell reads them
public record AgentContext(
        Datastore store,
        Recorder ledger,
        InstantSource clock,
        RandomGenerator dice,
        Pause pause,
        String commandOptions) {

    /// On a store that commands use without options.
    public AgentContext(Datastore store, Recorder ledger, InstantSource clock, RandomGenerator dice, Pause pause) {
        this(store, ledger, clock, dice, pause, "");
    }

    public AgentContext forCommandsWith(String options) {
        return new AgentContext(store, ledger, clock, dice, pause, options);
    }

    public Instant now() {
        return clock.instant();
    }

    public <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book) {
        return registrar(book, Registrar.Limits.DEFAULT);
    }

    public <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book, Registrar.Limits limits) {
        return new Registrar<>(new SurveyedBook<>(book, store, clock), ledger, limits, clock, dice, pause);
    }

    /// An identity for something new.
    public UUID freshUid() {
        return RandomUid.by(dice);
    }
}
