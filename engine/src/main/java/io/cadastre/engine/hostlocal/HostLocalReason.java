package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;

/// Why this law decided as it did.
public sealed interface HostLocalReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case SearchedAfter(var set, var last) ->
                "searched range set %d after %s, which was reserved last".formatted(set, last);
            case SearchedFrom(var set, var start) -> "searched range set %d from its start %s".formatted(set, start);
            case LastIsElsewhere(var set, var last) ->
                "%s was reserved last for range set %d and does not lie in it".formatted(last, set);
            case Chose(var set, var address) ->
                "chose %s: it is the first free one of range set %d".formatted(address, set);
            case AsRequested(var set, var address) ->
                "took %s of range set %d: it was asked for and is free".formatted(address, set);
            case TakenBackToo(var entry) -> "a refusal after the first range set takes back all, also " + entry.path();
            case NamesAttachment(var entry) -> entry.path() + " names the container and the interface";
            case NamesContainer(var entry) -> entry.path() + " names the container alone, as older plugins wrote it";
            case HoldsNothing(var attachment) ->
                "%s of container %s holds nothing".formatted(attachment.ifname(), attachment.containerId());
            case NamesNoValidAttachment(var entry) ->
                "%s names %s, which is not valid"
                        .formatted(
                                entry.path(),
                                entry.content().isEmpty() ? "no attachment" : String.join("/", entry.lines()));
            case SetIsFull(var set, var group) -> "range set %d is full: %s".formatted(set, group.words());
        };
    }

    /// The search went on after the last reserved address.
    record SearchedAfter(int set, Address last) implements HostLocalReason {}

    /// The search began at the start.
    record SearchedFrom(int set, Address start) implements HostLocalReason {}

    /// The last reserved address lies elsewhere: the configuration was another one.
    record LastIsElsewhere(int set, Address last) implements HostLocalReason {}

    /// This address was the first free one.
    record Chose(int set, Address address) implements HostLocalReason {}

    /// This address was asked for by name.
    record AsRequested(int set, Address address) implements HostLocalReason {}

    /// A refusal takes back what the attachment held before.
    record TakenBackToo(FolderEntry entry) implements HostLocalReason {}

    /// A file names the attachment.
    record NamesAttachment(FolderEntry entry) implements HostLocalReason {}

    /// A file names the container alone, and no other one names the attachment.
    record NamesContainer(FolderEntry entry) implements HostLocalReason {}

    /// No file names the attachment or its container.
    record HoldsNothing(HostLocalAttachment attachment) implements HostLocalReason {}

    /// A file names no valid attachment.
    record NamesNoValidAttachment(FolderEntry entry) implements HostLocalReason {}

    /// A range set has no free address.
    record SetIsFull(int set, RangeGroup group) implements HostLocalReason {}
}
