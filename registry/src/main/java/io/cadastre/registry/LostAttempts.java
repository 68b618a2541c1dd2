package io.cadastre.registry;

import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.NotReadException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What attempts at a request have granted and returned whose answers were lost, as far as the ledger does not
/// record it.
///
/// Each may have been applied or not. The engine decides anew and, where an attempt was applied, changes nothing
/// more, so that the holdings would be in no entry. They are found in what is read for the new decision, and
/// the entry of that decision records them. The same outcome of the request is not evidence: a refusal would be
/// the same if nothing was written.
final class LostAttempts<V, C extends Change, O> {

    /// Oldest first.
    private final List<Attempted<C, O>> attempts = new ArrayList<>();

    /// What interrupted attempts have written, which the ledger already records.
    private final List<PartialCommit> recorded = new ArrayList<>();

    private List<Holding> granted = List.of();
    private List<Holding> returned = List.of();

    /// A decision and how many of its changes were to be saved.
    ///
    /// @param returned what it takes back and was there to be taken back
    private record Attempted<C extends Change, O>(Decision<C, O> decision, List<C> changes, List<Holding> returned) {

        boolean part() {
            return changes.size() < decision.changes().size();
        }
    }

    /// @param page what it was decided on
    void add(Decision<C, O> decision, List<C> changes, Page<V, C> page) {
        var held = returnedBy(changes).stream()
                .filter(holding -> read(page, holding))
                .toList();
        attempts.add(new Attempted<>(decision, changes, held));
    }

    /// Whether the book as it was read showed that this was held. What was only to be tried was not read.
    private boolean read(Page<V, C> page, Holding holding) {
        try {
            return page.shows(holding);
        } catch (NotReadException notRead) {
            return false;
        }
    }

    /// The ledger records this.
    void addRecorded(List<PartialCommit> halves) {
        recorded.addAll(halves);
    }

    /// The ledger records all that was applied of them.
    void clear() {
        attempts.clear();
    }

    /// Looks what of them the page shows.
    ///
    /// @param made what was decided on the page
    /// @throws NotReadException if something has to be read first
    void look(Page<V, C> page, Decision<C, O> made) {
        granted = grantedBefore(page);
        returned = returnedBefore(page, made);
    }

    /// What they have granted, without what the ledger records.
    List<Holding> granted() {
        return PartialCommit.withoutGranted(granted, recorded);
    }

    /// What they have returned, without what the ledger records.
    List<Holding> returned() {
        return PartialCommit.withoutReturned(returned, recorded);
    }

    private List<Holding> grantedBefore(Page<V, C> page) {
        return attempts.stream()
                .flatMap(one -> one.changes().stream())
                .flatMap(change -> change.granted().stream().filter(holding -> page.showsGrant(change, holding)))
                .distinct()
                .toList();
    }

    /// What the last attempt returned that came to the same, if nothing is left to be done of it and the book
    /// does not show it any more.
    private List<Holding> returnedBefore(Page<V, C> page, Decision<C, O> made) {
        var granting = grantedBy(made.changes());
        var returning = returnedBy(made.changes());
        boolean wholly = granting.isEmpty() && returning.isEmpty();
        return attempts.reversed().stream()
                .filter(one -> one.decision().outcome().equals(made.outcome()))
                .filter(one -> wholly
                        || (one.part()
                                && Collections.disjoint(grantedBy(one.changes()), granting)
                                && Collections.disjoint(one.returned(), returning)))
                .findFirst()
                .map(Attempted::returned)
                .orElse(List.of())
                .stream()
                .filter(holding -> !page.shows(holding))
                .toList();
    }

    static <C extends Change> List<Holding> grantedBy(List<C> changes) {
        return changes.stream().flatMap(change -> change.granted().stream()).toList();
    }

    static <C extends Change> List<Holding> returnedBy(List<C> changes) {
        return changes.stream().flatMap(change -> change.returned().stream()).toList();
    }
}
