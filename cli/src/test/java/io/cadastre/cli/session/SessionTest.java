package io.cadastre.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.cli.Shell;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryDatastore;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class SessionTest {

    @Test
    void ledgerIsClosedWhenNothingCanBeCommittedAnyMore() {
        var datastore = new MemoryDatastore();
        var found = new ArrayList<Kind>();
        var journal = new ClosingJournal(
                () -> found.add(catchThrowableOfType(DatastoreException.class, () -> datastore.get("a"))
                        .kind()));

        new Session(datastore, journal, context()).close();

        assertThat(found).containsExactly(Kind.CLOSED);
    }

    /// A journal that looks around when it is closed.
    private record ClosingJournal(Runnable look) implements Journal {

        @Override
        public void append(Function<Optional<Entry>, List<Draft>> next) {
            throw new IllegalStateException("nothing is decided here");
        }

        @Override
        public List<Entry> read(long from, int limit) {
            return List.of();
        }

        @Override
        public List<Entry> find(Query query, long from, int limit) {
            return List.of();
        }

        @Override
        public <T> T look(Function<Look, T> work) {
            throw new IllegalStateException("nothing is looked for here");
        }

        @Override
        public void cut(Function<Look, Optional<Cut>> work) {
            throw new IllegalStateException("nothing is cut here");
        }

        @Override
        public void close() {
            look.run();
        }
    }

    private static CommandContext context() {
        var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new CommandContext(
                nowhere, nowhere, Map.of(), InstantSource.fixed(Shell.NOON), new SplittableRandom(1), false, false);
    }
}
