package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Journal;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnsettledException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Compares what the ledger records with what the store had, whatever happens to the journal.
///
/// Five things must hold. The ledger records nothing that was not done, and nothing twice: no holding
/// begins or ends more often in the ledger than in the store. A caller that is answered finds its answer in
/// the ledger. A process that could not write there commits nothing before it has. Whatever happens, the
/// chain of entries is sound. And where no process dies and every commit is answered, nothing is missing.
///
/// So what may be missing is what was done by a process that died before it wrote, whose caller was not
/// answered, and what was reported as unrecorded.
///
/// Where answers are lost, a process that finds its request served cannot always know whether its own
/// attempt or a rival has done it, and the ledger rather records it twice than not at all: the holdings and
/// their times are the same in both. Then an entry has to be true, and may be repeated.
public final class LedgerWitness {

    private static final Pattern REQUEST_NUMBER = Pattern.compile("\\(request (\\d+)\\)");

    private final Ledger ledger;
    private final Supplier<List<Holding>> map;

    /// How often each holding came into being less how often it ended, by the store and by the ledger.
    private final Balance stored = new Balance();

    private final Balance told = new Balance();

    private final Set<Holding> heldAtFirst;
    private final Set<Holding> toldGranted = new HashSet<>();
    private final Set<Holding> toldReturned = new HashSet<>();

    /// The ledger as far as it was read; entries are numbered from 1.
    private final List<Ledger.Recorded> entries = new ArrayList<>();

    private Set<Holding> held;
    private boolean perhapsDone;
    private long lastNumber;
    private long lastRequest;

    /// @param ledger as it is, without faults
    /// @param map the holdings in the store now
    LedgerWitness(Ledger ledger, Supplier<List<Holding>> map) {
        this.ledger = ledger;
        this.map = map;
        this.held = held();
        this.heldAtFirst = held;
    }

    /// Pools do not count, nor do addresses that rest or are set aside.
    private Set<Holding> held() {
        var now = new HashSet<Holding>();
        for (var holding : map.get()) {
            if (counts(holding)) {
                now.add(holding);
            }
        }
        return now;
    }

    private static boolean counts(Holding holding) {
        return holding.level() != Holding.Level.POOL && holding.state() == Holding.State.HELD;
    }

    /// Looks at the store after it changed.
    void look() {
        var now = held();
        now.stream().filter(holding -> !held.contains(holding)).forEach(stored::comes);
        held.stream().filter(holding -> !now.contains(holding)).forEach(stored::goes);
        held = now;
    }

    /// Looks at the ledger after entries of one commit were appended. What one request got and another of
    /// the same commit gave back was never in the store.
    ///
    /// A request of which a commit was not answered may be based on that commit or on a rival's, so what it
    /// records has to be true, and may be recorded again.
    ///
    /// @param life that of the process that appended
    void appended(ProcessLife life) {
        var net = new LinkedHashMap<Holding, Integer>();
        var doubted = new HashSet<Holding>();
        for (var recorded : List.copyOf(entriesAfter(lastNumber))) {
            lastNumber = recorded.number();
            var entry = recorded.entry();
            entry.granted().forEach(toldGranted::add);
            entry.returned().forEach(toldReturned::add);
            count(entry.granted(), 1, net);
            count(entry.returned(), -1, net);
            if (unanswered(entry, life)) {
                doubted.addAll(entry.granted());
                doubted.addAll(entry.returned());
            }
        }
        net.forEach((holding, balance) -> {
            if (doubted.contains(holding)) {
                requireTrue(holding, balance);
                return;
            }
            for (int number = 0; number < balance; number++) {
                told.comes(holding);
            }
            for (int number = 0; number > balance; number--) {
                told.goes(holding);
            }
            requireDone(holding);
        });
    }

    /// Whether a commit of a request in the entry was not answered.
    private static boolean unanswered(Ledger.Entry entry, ProcessLife life) {
        return REQUEST_NUMBER
                .matcher(entry.request())
                .results()
                .anyMatch(found -> life.lostAnswerTo(Long.parseLong(found.group(1))));
    }

    private void requireTrue(Holding holding, int balance) {
        boolean cameEver = stored.comings(holding) > 0 || heldAtFirst.contains(holding);
        if (balance > 0 && !cameEver) {
            throw new AssertionError("the ledger tells of %s, which never was".formatted(holding));
        }
        if (balance < 0 && stored.goings(holding) == 0) {
            throw new AssertionError("the ledger tells that %s ended, which it never did".formatted(holding));
        }
    }

    private static void count(Collection<Holding> holdings, int amount, Map<Holding, Integer> balances) {
        holdings.stream()
                .filter(LedgerWitness::counts)
                .forEach(holding -> balances.merge(holding, amount, Integer::sum));
    }

    private void requireDone(Holding holding) {
        if (told.comings(holding) > stored.comings(holding) || told.goings(holding) > stored.goings(holding)) {
            throw new AssertionError(
                    "the ledger tells that %s came %d and went %d times, and in the store it came %d and went %d times"
                            .formatted(
                                    holding,
                                    told.comings(holding),
                                    told.goings(holding),
                                    stored.comings(holding),
                                    stored.goings(holding)));
        }
    }

    /// Asks a registrar, and looks for the answer in the ledger. The words get a number, so that no two
    /// requests have the same.
    ///
    /// @param life that of the process with the registrar
    public <V, C extends Change, O> O enact(
            ProcessLife life, Registrar<V, C> registrar, String words, Request.Law<V, C, O> law) {
        long number = ++lastRequest;
        long lastNumberThen = lastNumber;
        var numbered = "%s (request %d)".formatted(words, number);
        Request.Law<V, C, O> noted = (view, earlier) -> {
            life.decide(number);
            return law.decide(view, earlier);
        };
        var outcome = asking(() -> registrar.enact(new Request<>(numbered, noted)));
        answered(numbered, outcome, lastNumberThen);
        return outcome;
    }

    /// A request was answered that was asked when this was the last entry.
    private void answered(String words, Object outcome, long lastNumberThen) {
        boolean recorded = entriesAfter(lastNumberThen).stream()
                .map(Ledger.Recorded::entry)
                .anyMatch(entry ->
                        entry.request().equals(words) && entry.outcome().equals(Fact.of(outcome)));
        if (!recorded) {
            throw new AssertionError(
                    "'%s' was answered %s, and the ledger does not tell of it".formatted(words, outcome));
        }
    }

    /// Runs a request, and notes if the answer is that it may be done.
    private <O> O asking(Supplier<O> question) {
        try {
            return question.get();
        } catch (UnsettledException unsettled) {
            perhapsDone |= unsettled.perhapsDone();
            throw unsettled;
        }
    }

    void requireSound() {
        if (ledger.verify() instanceof Ledger.Verification.Broken(var number, var reason)) {
            throw new AssertionError("entry %d is not sound: %s".formatted(number, reason));
        }
    }

    /// What began and did not end is recorded at least once, unless a caller was answered that its request
    /// may be done.
    void requireNothingMissing() {
        if (perhapsDone) {
            return;
        }
        for (var holding : held) {
            if (!heldAtFirst.contains(holding) && !toldGranted.contains(holding)) {
                throw new AssertionError("the ledger does not tell of " + holding);
            }
        }
        for (var holding : heldAtFirst) {
            if (!held.contains(holding) && !toldReturned.contains(holding)) {
                throw new AssertionError("the ledger does not tell that %s ended".formatted(holding));
            }
        }
    }

    /// What began and did not end is the same in the store and in the ledger.
    void requireComplete() {
        var all = new ArrayList<>(stored.holdings());
        all.addAll(told.holdings());
        for (var holding : all) {
            int inStore = stored.comings(holding) - stored.goings(holding);
            int inLedger = told.comings(holding) - told.goings(holding);
            if (inStore != inLedger) {
                throw new AssertionError("by the store the balance of %s is %d, and by the ledger %d"
                        .formatted(holding, inStore, inLedger));
            }
        }
    }

    /// What was read once is not read again: the chain shows whether it was changed later.
    private List<Ledger.Recorded> entriesAfter(long number) {
        var page = ledger.read(entries.size() + 1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            entries.addAll(page);
            page = ledger.read(entries.size() + 1, Journal.PAGE_RECORDS_MAX);
        }
        return entries.subList(Math.toIntExact(number), entries.size());
    }

    /// How often holdings began and ended.
    private static final class Balance {

        private final Map<Holding, Integer> came = new LinkedHashMap<>();
        private final Map<Holding, Integer> went = new LinkedHashMap<>();

        void comes(Holding holding) {
            came.merge(holding, 1, Integer::sum);
        }

        void goes(Holding holding) {
            went.merge(holding, 1, Integer::sum);
        }

        int comings(Holding holding) {
            return came.getOrDefault(holding, 0);
        }

        int goings(Holding holding) {
            return went.getOrDefault(holding, 0);
        }

        Set<Holding> holdings() {
            var all = new HashSet<>(came.keySet());
            all.addAll(went.keySet());
            return all;
        }
    }
}
