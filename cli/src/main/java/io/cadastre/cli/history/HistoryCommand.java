package io.cadastre.cli.history;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.Layout;
import io.cadastre.cli.command.Moment;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.datastore.Journal;
import io.cadastre.registry.HoldingPeriod;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Ledger.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "history",
        description = {
            "Show who held an address, or what a node or pod held, with times and reasons, oldest first.",
            "With --decisions, or without --ip, --node and --pod, shows the recorded decisions."
        },
        footer = {
            "TIME is a timestamp such as 2026-01-31T12:00:00Z, or an age such as 2h (two hours ago).",
            "",
            "Examples:",
            "  cadastre history --ip 10.244.3.7",
            "  cadastre history --pod default/web-0",
            "  cadastre history --node node-1 --since 2h",
            "  cadastre history --ip 10.244.3.7 --decisions -o wide",
            "  cadastre history --since 2h --until 1h"
        })
public final class HistoryCommand implements Callable<Integer> {

    /// The most entries that are read into memory at once.
    private static final int LIMIT_MAX = 100_000;

    private final CommandContext context;

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    @ArgGroup(exclusive = true)
    private @Nullable Subject subject;

    @Option(names = "--at", paramLabel = "TIME", description = "With --ip: show the holder at this time.")
    private @Nullable String at;

    @Option(names = "--since", paramLabel = "TIME", description = "Start of the period to show.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "End of the period to show, exclusive.")
    private @Nullable String until;

    @Option(names = "--decisions", description = "Show the recorded decisions (ledger entries).")
    private boolean decisions;

    @Option(
            names = "--from",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "Number of the first entry to show.")
    private long from;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "Maximum number of entries to show; default ${DEFAULT-VALUE}.")
    private int limit;

    /// The holder or range that the history is about; everything, if no option is given.
    static final class Subject {

        @Option(names = "--ip", paramLabel = "ADDRESS", description = "Show the holders of this address.")
        private @Nullable String ip;

        @Option(names = "--node", paramLabel = "NODE", description = "Show what this node and its pods held.")
        private @Nullable String node;

        @Option(names = "--pod", paramLabel = "NAMESPACE/NAME", description = "Show what pods of this name held.")
        private @Nullable String pod;
    }

    public HistoryCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (at != null) {
            return printHolders(at);
        }
        if (subject == null || decisions) {
            printEntries();
            return ExitCode.DONE;
        }
        return printPeriods(subject);
    }

    private int printHolders(String time) {
        if (subject == null || subject.ip == null) {
            throw new UsageException("--at requires --ip");
        }
        if (since != null || until != null) {
            throw new UsageException("--at cannot be combined with --since or --until");
        }
        return new HolderSearch(address(subject.ip), storeOptions, context)
                .printAt(moment("--at", time), formatOption.format());
    }

    private int printPeriods(Subject of) {
        checkLimits();
        var start = since == null ? Moment.FIRST : moment("--since", since);
        var end = until == null ? Moment.LAST : moment("--until", until);
        if (!start.isBefore(end)) {
            throw new UsageException("--since must be before --until");
        }
        var search = periods(of, LedgerFile.writers(storeOptions, context));
        try (var ledgerFile = LedgerFile.open(storeOptions, context)) {
            var found = search.periods().apply(ledgerFile.ledger());
            var within = found.periods().stream()
                    .filter(period -> period.from().isBefore(end))
                    .filter(period -> lastsUntil(period, start))
                    .toList();
            var shown = within.subList(Math.max(0, within.size() - limit), within.size());
            search.layout().printFitting(context.out(), formatOption.format(), HolderRow.of(shown), HolderSearch.KEPT);
            if (found.periods().isEmpty()) {
                context.warn("the ledger has no record of " + search.subject());
            }
            if (shown.size() < within.size()) {
                context.warn("showing the latest %d of %d; --limit shows more".formatted(shown.size(), within.size()));
            }
            TrimCommand.warn(ledgerFile.ledger(), start, context);
            return HolderSearch.complain(found.doubled(), context);
        }
    }

    private static boolean lastsUntil(HoldingPeriod period, Instant start) {
        return period.until().map(until -> until.isAfter(start)).orElse(true);
    }

    /// What to search for, and how to print what is found.
    private record PeriodSearch(String subject, Function<Ledger, Ledger.Periods> periods, Layout<HolderRow> layout) {}

    private PeriodSearch periods(Subject of, Ledger.Writers writers) {
        var now = context.clock().instant();
        if (of.ip != null) {
            var address = address(of.ip);
            return new PeriodSearch(
                    address.toString(),
                    ledger -> ledger.periodsOf(address, writers),
                    LedgerLayouts.holdersOfAddress(now));
        }
        if (of.node != null) {
            var node = of.node;
            return new PeriodSearch(
                    "node " + node, ledger -> ledger.periodsOfNode(node, writers), LedgerLayouts.holdingsOfNode(now));
        }
        var pod = pod(String.valueOf(of.pod));
        return new PeriodSearch(
                "pod " + of.pod,
                ledger -> ledger.periodsOfPod(pod.getFirst(), pod.getLast(), writers),
                LedgerLayouts.holdingsOfPod(now));
    }

    /// The namespace and the name.
    private static List<String> pod(String text) {
        var parts = List.of(text.split("/", -1));
        if (parts.size() != 2 || parts.contains("")) {
            throw new UsageException("--pod: '%s' is not NAMESPACE/NAME, for example default/web-0".formatted(text));
        }
        return parts;
    }

    private void checkLimits() {
        if (from < 1) {
            throw new UsageException("--from must be at least 1, not %d".formatted(from));
        }
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new UsageException("--limit must be from 1 to %d, not %d".formatted(LIMIT_MAX, limit));
        }
    }

    private void printEntries() {
        checkLimits();
        var search = search();
        try (var ledgerFile = LedgerFile.open(storeOptions, context)) {
            var found = found(search, ledgerFile.ledger());
            var shown = found.subList(0, Math.min(limit, found.size()));
            LedgerLayouts.ENTRIES.printFitting(context.out(), formatOption.format(), shown, HolderSearch.KEPT);
            if (found.size() > limit) {
                context.warn("more entries follow; --from %d shows them"
                        .formatted(found.getLast().number()));
            }
        }
    }

    /// Up to one more entry than is shown, to know whether more follow.
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
            throw new UsageException("--since must be before --until");
        }
        if (subject != null && subject.ip != null) {
            var range = Range.of(address(subject.ip));
            return new Search(start, end, (ledger, first, count) -> ledger.touching(range, first, count));
        }
        if (subject != null && subject.node != null) {
            var node = subject.node;
            return new Search(start, end, (ledger, first, count) -> ledger.ofNode(node, first, count));
        }
        if (subject != null && subject.pod != null) {
            var pod = pod(subject.pod);
            return new Search(
                    start, end, (ledger, first, count) -> ledger.ofPod(pod.getFirst(), pod.getLast(), first, count));
        }
        return since == null && until == null
                ? new Search(start, end, Ledger::read)
                : new Search(start, end, (ledger, first, count) -> ledger.between(start, end, first, count));
    }

    /// Which entries to search for, and how to read them.
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
            return Address.parse(text).unmapped();
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("--ip: " + malformed.getMessage());
        }
    }

    private Instant moment(String option, String text) {
        try {
            return Moment.parse(text, context.clock().instant());
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("%s: %s".formatted(option, malformed.getMessage()));
        }
    }
}
