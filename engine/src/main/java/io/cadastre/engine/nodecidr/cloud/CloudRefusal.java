package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.engine.nodecidr.CidrSet;
import java.util.List;
import java.util.Optional;

/// Why a node is not served. Upstream's error text, and the event that it records, if it records one.
public sealed interface CloudRefusal {

    /// How many CIDRs a dual-stack node has.
    int DUAL_STACK_COUNT = 2;

    /// A sentence without a full stop.
    default String sentence() {
        return switch (this) {
            case NoProviderId(var node) -> "node %s doesn't have providerID".formatted(node);
            case NoAnswer(var _, var words) -> "failed to get cidr(s) from provider: " + words;
            case NoRanges(var node) -> "failed to allocate cidr: Node %s has no CIDRs".formatted(node);
            case UnreadableRange(var ranges, var index) ->
                "failed to parse strings %s as CIDRs: invalid CIDR[%d]: <nil> (invalid CIDR address: %s)"
                        .formatted(GoWords.list(ranges), index, ranges.get(index));
            case NotDualStack(var _, var ranges, var _) ->
                "err: IPs are not dual stack, CIDRS: " + GoWords.list(ranges);
            case NoAlias(var words) -> words;
            case UnreadableCidr(var text) -> "invalid CIDR address: " + text;
            case Outside(var reach) -> reach.sentence();
            case Exhausted(var none) -> none.sentence();
            case WrongMode(var direction, var mode) ->
                direction.error + " in mode " + GoWords.quoted(mode.upstreamName());
        };
    }

    /// The event that goes with it.
    default Optional<CloudEvent> event() {
        return switch (this) {
            case NoAnswer(var node, var _) -> Optional.of(CloudEvent.status(node, CloudEvent.NOT_AVAILABLE));
            case NoRanges(var node) -> Optional.of(CloudEvent.status(node, CloudEvent.NOT_AVAILABLE));
            case NotDualStack(var node, var _, var held) ->
                held == DUAL_STACK_COUNT ? Optional.empty() : Optional.of(CloudEvent.assignmentFailed(node));
            case WrongMode(var direction, var mode) ->
                Optional.of(CloudEvent.sync(
                        CloudEvent.INVALID_MODE, direction.event + " in mode " + GoWords.quoted(mode.upstreamName())));
            case NoProviderId _, UnreadableRange _, NoAlias _, UnreadableCidr _, Outside _, Exhausted _ ->
                Optional.empty();
        };
    }

    /// The node does not say which machine it is.
    record NoProviderId(String node) implements CloudRefusal {}

    /// The cloud gave no answer to the allocator.
    record NoAnswer(String node, String words) implements CloudRefusal {}

    /// The machine has no alias range.
    record NoRanges(String node) implements CloudRefusal {}

    /// An alias range is not a CIDR.
    ///
    /// @param index which of them, the first such one
    record UnreadableRange(List<String> ranges, int index) implements CloudRefusal {
        public UnreadableRange {
            ranges = List.copyOf(ranges);
        }
    }

    /// The two alias ranges are of one family, and the API server takes one CIDR of each at most.
    ///
    /// @param held how many CIDRs the node has. Upstream compares two with two and finds out by itself; else it
    ///     lets the API server refuse, and records that on the node
    record NotDualStack(String node, List<String> ranges, int held) implements CloudRefusal {
        public NotDualStack {
            ranges = List.copyOf(ranges);
        }
    }

    /// The cloud gave no answer to a synchronising mode, or one that cannot be read.
    record NoAlias(String words) implements CloudRefusal {}

    /// The CIDR of the node cannot be read.
    record UnreadableCidr(String text) implements CloudRefusal {}

    /// What is to be synchronised lies outside of the cluster CIDR.
    record Outside(CidrSet.Reach.Outside reach) implements CloudRefusal {}

    /// The cluster CIDR has no block left.
    record Exhausted(CidrSet.Next.NoneRemaining none) implements CloudRefusal {}

    /// What there is would have to be copied in the direction that the mode excludes.
    record WrongMode(Direction direction, SyncMode mode) implements CloudRefusal {}

    /// What the mode excludes.
    enum Direction {
        FROM_CLOUD("Cannot sync from cloud", "cannot sync from cloud"),
        TO_CLOUD("Cannot sync to cloud", "cannot sync to cloud"),
        ALLOCATE("Cannot allocate CIDRs", "controller cannot allocate CIDRS");

        private final String event;
        private final String error;

        Direction(String event, String error) {
            this.event = event;
            this.error = error;
        }
    }
}
