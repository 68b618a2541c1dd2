package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceView;
import io.cadastre.wire.kubernetes.RandomUid;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.survey.StoreRanges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// An open store for commands on blocks, Calico's resources and Spiderpool's objects, with a registrar for each
/// book.
public record CalicoSession(
        Session session,
        Registrar<BlockView, BlockChange> blocks,
        Registrar<ResourceView, DocumentChange> resources,
        Registrar<ObjectView, DocumentChange> objects)
        implements AutoCloseable {

    /// Opens the store to write.
    public static CalicoSession open(CalicoOptions options, CommandContext context) {
        return at(Session.open(options.store(), context)).checked(options);
    }

    /// Opens the store to read. Nothing is created.
    public static CalicoSession openToLook(CalicoOptions options, CommandContext context) {
        return at(Session.openToLook(options.store(), context)).checked(options);
    }

    /// Opens the store to read. A store that a writing command refuses is refused here too.
    public static CalicoSession openToExplain(CalicoOptions options, CommandContext context) {
        return at(Session.openToExplain(options.store(), context)).checked(options);
    }

    private CalicoSession checked(CalicoOptions options) {
        try {
            if (!options.mismatchAllowed()) {
                CalicoVersion.of(session.context().environment()).check(session.datastore());
            }
            return this;
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    public static CalicoSession at(Session session) {
        var clock = session.context().clock();
        return new CalicoSession(
                session,
                session.registrar(new CalicoBook(session.datastore(), clock)),
                session.registrar(new ResourceBook(session.datastore(), StoreRanges::besideCalico)),
                session.registrar(new ObjectBook(session.datastore(), StoreRanges::besideSpiderpool)));
    }

    public Instant now() {
        return session.context().clock().instant();
    }

    /// An identity for something new.
    public UUID freshUid() {
        return RandomUid.by(session.context().dice());
    }

    /// Answers a question about blocks. Nothing is written.
    public <O> O ask(Function<BlockView, O> question) {
        return blocks.explain(new Request<>("look", view -> new Decision<>(question.apply(view), List.of(), List.of())))
                .outcome();
    }

    /// Gives other processes time to see the latest write.
    public void pause(Duration duration) {
        try {
            session.context().pause().pause(duration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
