package io.cadastre.cli;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.datastore.Journal;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Ledger.Recorded;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "history",
        description = {
            "Show what was decided, oldest first, and why (-o wide).",
            "With --at: who held the address at that time."
        },
        footer = {
            "A time is written like 2026-01-31T12:00:00Z, or 2h for two hours ago.",
            "",
            "Examples:",
            "  cadastre history --ip 10.244.3.7",
            "  cadastre history --ip 10.244.3.7 --at 2026-01-31T12:00:00Z",
            "  cadastre history --node node-1 -o wide",
            "  cadastre history --since 2h --until 1h"
        })
final class HistoryCommand implements Callable<Integer> {

    /// More than this is not read into memory at once.
    private static final int LIMIT_MAX = 100_000;

    private final Surroundings surroundings;

    @Mixin private final StoreOptions storeOptions = new StoreOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    @ArgGroup(exclusive = true)
    private @Nullable Subject subject;

    @Option(names = "--at", paramLabel = "TIME", description = "With --ip: who held it then.")
    private @Nullable String at;

    @Option(names = "--since", paramLabel = "TIME", description = "Not before this time.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Before this time.")
    private @Nullable String until;

    @Option(
            names = "--from",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "Entries from this number on.")
    private long from;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "At most this many entries; default ${DEFAULT-VALUE}.")
    private int limit;

    /// Whom or what the history is about; everything, if nothing is said.
    static final class Subject {

        @Option(
                names = "--ip",
                paramLabel = "ADDRESS",
                description = "What concerned this address.")
        private @Nullable String ip;

        @Option(names = "--node", paramLabel = "NODE", description = "What concerned this node.")
        private @Nullable String node;
    }

    HistoryCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (at == null) {
            printEntries();
        } else {
            printHolders(at);
        }
        return ExitCode.DONE;
    }

    private void printHolders(String time) {
        if (subject == null || subject.ip == null) {
            throw new UsageException("--at needs --ip: it asks who held an address");
        }
        if (since != null || until != null) {
            throw new UsageException("--at excludes --since and --until: it is one point in time");
        }
        var address = address(subject.ip);
        var moment = moment("--at", time);
        try (var archive = Archive.open(storeOptions, surroundings)) {
            var holdings = archive.ledger().heldAt(address, moment);
            LedgerLayouts.HOLDINGS.print(surroundings.out(), formatOption.format(), holdings);
        }
    }

    private void printEntries() {
        if (from < 1) {
            throw new UsageException("--from is at least 1, not %d".formatted(from));
        }
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new UsageException("--limit is from 1 to %d, not %d".formatted(LIMIT_MAX, limit));
        }
        var search = search();
        try (var archive = Archive.open(storeOptions, surroundings)) {
            var found = found(search, archive.ledger());
            var shown = found.subList(0, Math.min(limit, found.size()));
            LedgerLayouts.ENTRIES.print(surroundings.out(), formatOption.format(), shown);
            if (found.size() > limit) {
                surroundings.warn(
                        "there are more entries; --from %d shows them"
                                .formatted(found.getLast().number()));
            }
        }
    }

    /// One more than is to be shown, if there is one.
    private List<Recorded> found(Search search, Ledger ledger) {
        var found = new ArrayList<Recorded>();
        var page = search.page(ledger, from, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty() && found.size() <= limit) {
            page.stream()
                    .filter(recorded -> search.within(recorded.entry().at()))
                    .limit(limit + 1 - found.size())
                    .forEach(found::add);
            page = search.page(ledger, page.getLast().number() + 1, Journal.PAGE_RECORDS_MAX);
        }
        return found;
    }

    private Search search() {
        var start = since == null ? Moment.FIRST : moment("--since", since);
        var end = until == null ? Moment.LAST : moment("--until", until);
        if (!start.isBefore(end)) {
            throw new UsageException("--since is not before --until");
        }
        if (subject != null && subject.ip != null) {
            var range = Range.of(address(subject.ip));
            return new Search(
                    start, end, (ledger, first, count) -> ledger.touching(range, first, count));
        }
        if (subject != null && subject.node != null) {
            var holder = "node/" + subject.node;
            return new Search(
                    start, end, (ledger, first, count) -> ledger.of(holder, first, count));
        }
        return since == null && until == null
                ? new Search(start, end, Ledger::read)
                : new Search(
                        start,
                        end,
                        (ledger, first, count) -> ledger.between(start, end, first, count));
    }

    /// Which entries are looked for, and how they are reached.
    private record Search(Instant start, Instant end, Pages pages) {

        interface Pages {
            List<Recorded> page(Ledger ledger, long from, int limit);
        }

        List<Recorded> page(Ledger ledger, long from, int limit) {
            return pages.page(ledger, from, limit);
        }

        boolean within(Instant time) {
            return !time.isBefore(start) && time.isBefore(end);
        }
    }

    private Address address(String text) {
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("--ip: " + malformed.getMessage());
        }
    }

    private Instant moment(String option, String text) {
        try {
            return Moment.parse(text, surroundings.clock().instant());
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("%s: %s".formatted(option, malformed.getMessage()));
        }
    }
}
