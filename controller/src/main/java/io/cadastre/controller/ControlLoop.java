package io.cadastre.controller;

import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One task of a controller, which follows some kinds of documents and, during a leader term, writes what
/// follows from them.
///
/// It follows them also while another process leads, so that it can write as soon as it is elected.
public interface ControlLoop extends AutoCloseable {

    /// Its name on the command line and among the health checks.
    String name();

    /// What it follows. Called once, before it begins.
    List<KindHandler> handlers();

    /// Begins to work, without the right to write.
    void start();

    /// From now on it writes, to this store only.
    ///
    /// @param fenced refuses commits once the leader term is over
    void elected(FencedDatastore fenced);

    /// From now on it writes nothing.
    void dismissed();

    /// How long ago it last looked whether there is work.
    Duration sinceLastTurn();

    /// Why it does not work although its process leads, for `/readyz`.
    default Optional<String> fault() {
        return Optional.empty();
    }

    /// Whether a write that was not answered may yet be carried out, and another leader must not be surprised by it.
    default boolean unsettled() {
        return false;
    }

    /// What it counts; nothing while it is not elected.
    List<Metric> figures();

    /// Waits until what is under way has ended. It has been dismissed, and its term has ended.
    @Override
    void close();
}
