package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// The smallest law there is: each name gets the next address of 10.0.0.0/8 and keeps it. All of it is
/// one document of lines, so all rivals meet there.
final class TicketLaw {

    static final String KEY = "/tickets";

    private TicketLaw() {}

    record Give(String name, Address address) implements Change {

        @Override
        public String sentence() {
            return "give %s to %s".formatted(address, name);
        }

        @Override
        public List<Holding> granted() {
            return List.of(new Holding(Range.of(address), Holding.Level.ENDPOINT, name, Holding.State.HELD));
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    record NextInLine(Address address) implements Because {

        @Override
        public String sentence() {
            return address + " is next in line";
        }
    }

    static Request<List<String>, Give, Address> take(String name) {
        return new Request<>("take " + name, names -> decide(names, name));
    }

    static Decision<Give, Address> decide(List<String> names, String name) {
        if (names.contains(name)) {
            return new Decision<>(ticket(names.indexOf(name)), List.of(), List.of());
        }
        var next = ticket(names.size());
        return new Decision<>(next, List.of(new Give(name, next)), List.of(new NextInLine(next)));
    }

    /// One ticket for each of these names, which may be cut between any two.
    static Request<List<String>, Give, List<Address>> takeAll(List<String> wanted) {
        return new Request<>("take all", (names, _) -> decideAll(names, wanted));
    }

    static Decision<Give, List<Address>> decideAll(List<String> names, List<String> wanted) {
        var gives = new ArrayList<Give>();
        var tickets = new ArrayList<Address>();
        for (var name : wanted) {
            if (names.contains(name)) {
                tickets.add(ticket(names.indexOf(name)));
            } else {
                tickets.add(ticket(names.size() + gives.size()));
                gives.add(new Give(name, tickets.getLast()));
            }
        }
        var seams = IntStream.rangeClosed(1, gives.size()).boxed().toList();
        return new Decision<>(tickets, gives, List.of(), seams, Decision.Extent.WHOLE);
    }

    static Address ticket(int index) {
        return Address.parse("10.0.0.0").plus(index);
    }

    record TicketBook(Datastore store, int givesMax) implements Book<List<String>, Give> {

        @Override
        public Page<List<String>, Give> open() {
            var document = store.get(KEY);
            var names = document.map(found -> found.value().utf8().lines().toList());
            return new TicketPage(this, document, names.orElse(List.of()), 0);
        }
    }

    record TicketPage(TicketBook book, Optional<Document> read, List<String> view, int gives)
            implements Page<List<String>, Give> {

        @Override
        public Page<List<String>, Give> with(List<Give> changes) {
            int wanted = gives + changes.size();
            if (wanted > book.givesMax()) {
                throw new PageFullException(wanted, book.givesMax(), book.givesMax() - gives);
            }
            var names = new ArrayList<>(view);
            changes.forEach(change -> names.add(change.name()));
            return new TicketPage(book, read, List.copyOf(names), wanted);
        }

        @Override
        public boolean shows(Holding holding) {
            var names = read.map(found -> found.value().utf8().lines().toList()).orElse(List.of());
            return names.contains(holding.holder())
                    && holding.range().first().equals(ticket(names.indexOf(holding.holder())));
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            if (gives == 0) {
                return new Commit.Done(List.of());
            }
            var value = Bytes.ofUtf8(String.join("\n", view));
            return recording.commit(
                    book.store(),
                    List.of(read.<Write>map(before -> new Write.Update(KEY, value, before.revision()))
                            .orElseGet(() -> new Write.Create(KEY, value))));
        }
    }
}
