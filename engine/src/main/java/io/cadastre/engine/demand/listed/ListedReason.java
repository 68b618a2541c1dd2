package io.cadastre.engine.demand.listed;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;

/// Why an address was given, or not.
public sealed interface ListedReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case OwnedByRequester(var address, var owner) -> "%s is for %s".formatted(address, owner);
            case FirstFree(var address) -> "%s is the lowest that is free".formatted(address);
            case HeldByOther(var address, var owner) -> "%s is for the pod, but %s has it".formatted(address, owner);
        };
    }

    record OwnedByRequester(Address address, String owner) implements ListedReason {}

    record FirstFree(Address address) implements ListedReason {}

    record HeldByOther(Address address, String owner) implements ListedReason {}
}
