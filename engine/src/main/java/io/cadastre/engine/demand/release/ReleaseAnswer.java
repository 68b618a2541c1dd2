package io.cadastre.engine.demand.release;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.demand.release.ReleaseChange.Enter;
import io.cadastre.engine.demand.release.ReleaseChange.Erase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// The agent's side: whether the operator may take an address away.
public final class ReleaseAnswer {

    private ReleaseAnswer() {}

    /// Why an answer is as it is.
    public sealed interface AnswerReason extends Because {

        @Override
        default String sentence() {
            return switch (this) {
                case Free(var address) -> "%s is free".formatted(address);
                case Taken(var address) -> "%s is in use".formatted(address);
                case NotListed(var address) -> "%s is not among the addresses of the node".formatted(address);
                case Gone(var address) -> "%s is handed back and no longer listed".formatted(address);
            };
        }

        record Free(Address address) implements AnswerReason {}

        record Taken(Address address) implements AnswerReason {}

        record NotListed(Address address) implements AnswerReason {}

        record Gone(Address address) implements AnswerReason {}
    }

    /// Which addresses the agent must not give to a pod: those that have an entry, whatever it says, but for those
    /// that it refused to give up.
    public record Answered(SortedMap<Address, ReleaseState> entries) {

        public Answered {
            entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        }

        public boolean mayBeGiven(Address address) {
            return entries.getOrDefault(address, ReleaseState.DENIED) == ReleaseState.DENIED;
        }
    }

    /// Answers every mark, and deletes the entries that are done with.
    ///
    /// @param entries those in the status of the node
    /// @param listed the addresses of the node
    /// @param used those that are in use
    public static Decision<ReleaseChange, Answered> decide(
            SortedMap<Address, ReleaseState> entries, SortedSet<Address> listed, SortedSet<Address> used) {
        var after = new TreeMap<>(entries);
        var changes = new ArrayList<ReleaseChange>();
        var because = new ArrayList<Because>();
        for (var entry : entries.entrySet()) {
            var address = entry.getKey();
            boolean isListed = listed.contains(address);
            switch (entry.getValue()) {
                case READY, DENIED -> {}
                case RELEASED -> {
                    if (!isListed) {
                        after.remove(address);
                        changes.add(new Erase(address));
                        because.add(new AnswerReason.Gone(address));
                    }
                }
                case MARKED -> {
                    var state = isListed && !used.contains(address) ? ReleaseState.READY : ReleaseState.DENIED;
                    after.put(address, state);
                    changes.add(new Enter(address, state));
                    because.add(reason(address, isListed, state));
                }
            }
        }
        return new Decision<>(new Answered(after), List.copyOf(changes), because);
    }

    private static AnswerReason reason(Address address, boolean isListed, ReleaseState state) {
        if (!isListed) {
            return new AnswerReason.NotListed(address);
        }
        return state == ReleaseState.READY ? new AnswerReason.Free(address) : new AnswerReason.Taken(address);
    }
}
