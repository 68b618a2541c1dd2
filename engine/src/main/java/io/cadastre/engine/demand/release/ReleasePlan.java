package io.cadastre.engine.demand.release;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.demand.release.ReleaseChange.Enter;
import io.cadastre.engine.demand.release.ReleaseChange.Erase;
import io.cadastre.engine.demand.release.ReleaseChange.Unassign;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// The operator's side: which addresses that are too many are marked, handed back and forgotten.
///
/// @param noted what the operator remembers
/// @param delay how long an address is too many before it is marked
public record ReleasePlan(SortedMap<Address, Noted> noted, Duration delay) {

    /// What an operator waits by default.
    public static final Duration DELAY = Duration.ofMinutes(3);

    public ReleasePlan {
        noted = Collections.unmodifiableSortedMap(new TreeMap<>(noted));
    }

    /// One that remembers nothing.
    public static ReleasePlan none(Duration delay) {
        return new ReleasePlan(new TreeMap<>(), delay);
    }

    /// An address that is too many.
    ///
    /// @param since when it was first too many
    /// @param stage how far it has come
    public record Noted(Instant since, String resource, Stage stage) {}

    /// How far an address has come, as the operator remembers it.
    public enum Stage {
        /// It is too many, and not marked yet.
        WAITING,

        /// It is marked, or the agent has answered.
        MARKED,

        /// The cloud has taken it back.
        RELEASED
    }

    /// An address that is too many in this pass, and its interface.
    public record Candidate(Address address, String resource) {}

    /// What is known in one pass.
    ///
    /// @param candidates the addresses that are too many
    /// @param entries those in the status of the node, with the agent's answers
    /// @param listed the addresses in the node's spec
    public record Pass(
            List<Candidate> candidates,
            SortedMap<Address, ReleaseState> entries,
            SortedSet<Address> listed,
            Instant now) {

        public Pass {
            candidates = List.copyOf(candidates);
        }

        private Optional<Candidate> find(Address address) {
            return candidates.stream()
                    .filter(candidate -> candidate.address().equals(address))
                    .findFirst();
        }
    }

    /// Why an address comes further, or is dropped.
    public sealed interface PlanReason extends Because {

        @Override
        default String sentence() {
            return switch (this) {
                case NoExcess(var address) -> "%s is no longer too many".formatted(address);
                case Moved(var address) -> "%s belongs to another interface now".formatted(address);
                case Denied(var address) -> "the node uses %s".formatted(address);
                case Back(var address) -> "%s is handed back, and listed again".formatted(address);
                case Done(var address) -> "the node has done with %s".formatted(address);
                case Waited(var address, var since) -> "%s has been too many since %s".formatted(address, since);
                case Agreed(var address) -> "the node agrees to lose %s".formatted(address);
            };
        }

        record NoExcess(Address address) implements PlanReason {}

        record Moved(Address address) implements PlanReason {}

        record Denied(Address address) implements PlanReason {}

        record Back(Address address) implements PlanReason {}

        record Done(Address address) implements PlanReason {}

        record Waited(Address address, Instant since) implements PlanReason {}

        record Agreed(Address address) implements PlanReason {}
    }

    /// Decides one pass. The outcome is what the operator remembers after it.
    public Decision<ReleaseChange, ReleasePlan> decide(Pass pass) {
        var after = new TreeMap<Address, Noted>();
        var changes = new ArrayList<ReleaseChange>();
        var because = new ArrayList<Because>();
        for (var entry : noted.entrySet()) {
            var address = entry.getKey();
            var dropped = dropped(address, entry.getValue(), pass);
            if (dropped.isPresent()) {
                because.add(dropped.get());
                if (pass.entries().containsKey(address)) {
                    changes.add(new Erase(address));
                }
            } else {
                after.put(address, next(address, entry.getValue(), pass, changes, because));
            }
        }
        // What a predecessor marked and this one does not remember starts anew.
        pass.entries().forEach((address, _) -> {
            if (!noted.containsKey(address)) {
                changes.add(new Erase(address));
            }
        });
        for (var candidate : pass.candidates()) {
            if (!noted.containsKey(candidate.address())) {
                after.put(candidate.address(), new Noted(pass.now(), candidate.resource(), Stage.WAITING));
            }
        }
        return new Decision<>(new ReleasePlan(after, delay), changes, because);
    }

    /// Why the address is forgotten, if it is.
    private static Optional<PlanReason> dropped(Address address, Noted known, Pass pass) {
        var state = Optional.ofNullable(pass.entries().get(address));
        if (known.stage() == Stage.RELEASED) {
            if (pass.listed().contains(address)) {
                return Optional.of(new PlanReason.Back(address));
            }
            return state.isEmpty() ? Optional.of(new PlanReason.Done(address)) : Optional.empty();
        }
        var candidate = pass.find(address);
        if (candidate.isEmpty()) {
            return Optional.of(new PlanReason.NoExcess(address));
        }
        if (!candidate.get().resource().equals(known.resource())) {
            return Optional.of(new PlanReason.Moved(address));
        }
        return state.filter(ReleaseState.DENIED::equals).map(_ -> new PlanReason.Denied(address));
    }

    private Noted next(Address address, Noted known, Pass pass, List<ReleaseChange> changes, List<Because> because) {
        var state = Optional.ofNullable(pass.entries().get(address));
        if (known.stage() == Stage.WAITING) {
            if (pass.now().isBefore(known.since().plus(delay))) {
                return known;
            }
            changes.add(new Enter(address, ReleaseState.MARKED));
            because.add(new PlanReason.Waited(address, known.since()));
            return new Noted(known.since(), known.resource(), Stage.MARKED);
        }
        if (known.stage() == Stage.MARKED) {
            if (state.filter(ReleaseState.READY::equals).isPresent()) {
                changes.add(new Unassign(address, known.resource()));
                because.add(new PlanReason.Agreed(address));
            } else if (state.isEmpty()) {
                // The write of the mark was lost.
                changes.add(new Enter(address, ReleaseState.MARKED));
            }
        }
        return known;
    }

    /// After the cloud has taken an address back. If the call failed, nothing changes and it is repeated.
    public ReleasePlan released(Address address) {
        var known = noted.get(address);
        if (known == null || known.stage() != Stage.MARKED) {
            throw new IllegalStateException("%s is not marked".formatted(address));
        }
        var after = new TreeMap<>(noted);
        after.put(address, new Noted(known.since(), known.resource(), Stage.RELEASED));
        return new ReleasePlan(after, delay);
    }
}
