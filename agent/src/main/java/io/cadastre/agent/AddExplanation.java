package io.cadastre.agent;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import java.util.List;

/// What an ADD would result in. Nothing is carried out.
///
/// @param addresses what the interface would have
/// @param refusal why it would be given nothing; empty if it would be served
/// @param changes what would be written
public record AddExplanation(List<Address> addresses, String refusal, List<Because> because, List<Change> changes) {

    public AddExplanation {
        addresses = List.copyOf(addresses);
        because = List.copyOf(because);
        changes = List.copyOf(changes);
    }

    /// One that gives addresses.
    public static AddExplanation giving(List<Address> addresses, Decision<? extends Change, ?> decision) {
        return new AddExplanation(addresses, "", decision.because(), List.copyOf(decision.changes()));
    }

    /// One that gives nothing.
    public static AddExplanation refusing(String refusal, Decision<? extends Change, ?> decision) {
        return new AddExplanation(List.of(), refusal, decision.because(), List.copyOf(decision.changes()));
    }

    /// One that gives nothing, since the call itself cannot be served.
    public static AddExplanation refusing(String refusal) {
        return new AddExplanation(List.of(), refusal, List.of(), List.of());
    }
}
