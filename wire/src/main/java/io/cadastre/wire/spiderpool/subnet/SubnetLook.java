package io.cadastre.wire.spiderpool.subnet;

import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.subnet.SubnetChange;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One reading of all subnets and pools, by which it is found out what needs a decision. Decisions are made on a
/// reading of their own. Only one thread uses it.
final class SubnetLook {

    /// How many times a law asks for more at most: once for each application that a subnet notes.
    private static final int READINGS_MAX = 100_000;

    private final Book<SubnetView, SubnetChange> book;

    private @Nullable Page<SubnetView, SubnetChange> page;
    private boolean outdated;

    SubnetLook(Book<SubnetView, SubnetChange> book) {
        this.book = book;
    }

    Decision<SubnetChange, SubnetOutcome> decide(Function<SubnetView, Decision<SubnetChange, SubnetOutcome>> law) {
        var seen = page == null ? book.open() : page;
        for (int reading = 0; reading < READINGS_MAX; reading++) {
            try {
                var decision = law.apply(seen.view());
                page = seen;
                return decision;
            } catch (NotReadException notRead) {
                for (var missing : notRead.allMissing()) {
                    seen = seen.reading(missing);
                }
            }
        }
        throw new IllegalStateException("a law asks for more after %d readings".formatted(READINGS_MAX));
    }

    /// After a decision was written.
    void outdate() {
        outdated = true;
    }

    /// Reads again for what comes next, if a decision was written since.
    void refresh() {
        if (outdated) {
            page = null;
            outdated = false;
        }
    }
}
