package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;

/// Why this law decided as it did.
public sealed interface HostLocalReason extends Because {

    /// The search went on after the last reserved address.
    record SearchedAfter(int set, Address last) implements HostLocalReason {
        @Override
        public String sentence() {
            return "searched range set %d after %s, which was reserved last".formatted(set, last);
        }
    }

    /// The search began at the start.
    record SearchedFrom(int set, Address start) implements HostLocalReason {
        @Override
        public String sentence() {
            return "searched range set %d from its start %s".formatted(set, start);
        }
    }

    /// The last reserved address lies elsewhere: the configuration was another one.
    record LastIsElsewhere(int set, Address last) implements HostLocalReason {
        @Override
        public String sentence() {
            return "%s was reserved last for range set %d and does not lie in it".formatted(last, set);
        }
    }

    /// This address was the first free one.
    record Chose(int set, Address address) implements HostLocalReason {
        @Override
        public String sentence() {
            return "chose %s: it is the first free one of range set %d".formatted(address, set);
        }
    }

    /// This address was asked for by name.
    record AsRequested(int set, Address address) implements HostLocalReason {
        @Override
        public String sentence() {
            return "took %s of range set %d: it was asked for and is free".formatted(address, set);
        }
    }

    /// A refusal takes back what the attachment held before.
    record TakenBackToo(FolderEntry entry) implements HostLocalReason {
        @Override
        public String sentence() {
            return "a refusal after the first range set takes back all, also " + entry.path();
        }
    }

    /// A file names the attachment.
    record NamesAttachment(FolderEntry entry) implements HostLocalReason {
        @Override
        public String sentence() {
            return entry.path() + " names the container and the interface";
        }
    }

    /// A file names the container alone, and no other one names the attachment.
    record NamesContainer(FolderEntry entry) implements HostLocalReason {
        @Override
        public String sentence() {
            return entry.path() + " names the container alone, as older plugins wrote it";
        }
    }

    /// No file names the attachment or its container.
    record HoldsNothing(HostLocalAttachment attachment) implements HostLocalReason {
        @Override
        public String sentence() {
            return "%s of container %s holds nothing".formatted(attachment.ifname(), attachment.containerId());
        }
    }

    /// A file names no valid attachment.
    record NamesNobodyValid(FolderEntry entry) implements HostLocalReason {
        @Override
        public String sentence() {
            return "%s names %s, who is not valid"
                    .formatted(entry.path(), entry.content().isEmpty() ? "nobody" : String.join("/", entry.lines()));
        }
    }

    /// A range set has no free address.
    record SetIsFull(int set, RangeGroup group) implements HostLocalReason {
        @Override
        public String sentence() {
            return "range set %d is full: %s".formatted(set, group.words());
        }
    }
}
