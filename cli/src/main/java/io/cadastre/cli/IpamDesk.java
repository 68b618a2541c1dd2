package io.cadastre.cli;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceChange;
import io.cadastre.wire.calico.resource.ResourceView;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectChange;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.survey.StoreRanges;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Where commands about blocks, their resources and Spiderpool's objects are dealt with: one registrar for
/// each of the books.
record IpamDesk(
        Office office,
        Registrar<BlockView, BlockChange> blocks,
        Registrar<ResourceView, ResourceChange> resources,
        Registrar<ObjectView, ObjectChange> objects)
        implements AutoCloseable {

    /// To be written at.
    static IpamDesk open(CalicoOptions options, Surroundings surroundings) {
        return at(Office.open(options.store(), surroundings)).checked(options);
    }

    /// To be looked at. Nothing is created.
    static IpamDesk openToLook(CalicoOptions options, Surroundings surroundings) {
        return at(Office.openToLook(options.store(), surroundings)).checked(options);
    }

    /// To be looked at, if a command that writes would begin with this store.
    static IpamDesk openToExplain(CalicoOptions options, Surroundings surroundings) {
        return at(Office.openToExplain(options.store(), surroundings)).checked(options);
    }

    private IpamDesk checked(CalicoOptions options) {
        try {
            if (!options.mismatchAllowed()) {
                CalicoVersion.of(office.surroundings().environment()).check(office.datastore());
            }
            return this;
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    static IpamDesk at(Office office) {
        var clock = office.surroundings().clock();
        return new IpamDesk(
                office,
                office.registrar(new CalicoBook(office.datastore(), clock)),
                office.registrar(new ResourceBook(office.datastore(), StoreRanges::besideCalico)),
                office.registrar(
                        new ObjectBook(office.datastore(), StoreRanges::besideSpiderpool)));
    }

    Instant now() {
        return office.surroundings().clock().instant();
    }

    /// An identity for something new.
    UUID freshUid() {
        var dice = office.surroundings().dice();
        // The bits that say that the rest is random, by RFC 9562.
        long high = (dice.nextLong() & ~0xf000L) | 0x4000L;
        long low = (dice.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /// Answers a question about blocks. Nothing is written.
    <O> O ask(Function<BlockView, O> question) {
        return blocks.explain(
                        new Request<>(
                                "look",
                                view -> new Decision<>(question.apply(view), List.of(), List.of())))
                .outcome();
    }

    /// Gives others the time to notice what was just written.
    void pause(Duration duration) {
        try {
            office.surroundings().pause().pause(duration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        office.close();
    }
}
