package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import java.util.List;

/// What looking at a node came to.
public sealed interface CloudOutcome {

    /// The node and its machine have the same CIDRs once the changes are written.
    record InStep(List<Prefix> cidrs) implements CloudOutcome {
        public InStep {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// The node and its machine have different CIDRs. Nothing is wrong with the attempt, so it is not repeated
    /// sooner than any other: only an operator can say which of the two is right.
    record Mismatched(CloudEvent event) implements CloudOutcome {}

    /// Nothing is done.
    record Refused(CloudRefusal refusal) implements CloudOutcome {}
}
