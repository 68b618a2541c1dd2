package io.cadastre.wire.spiderpool.multus;

import io.cadastre.engine.Outcome;

/// What became of the NetworkAttachmentDefinition of a SpiderMultusConfig.
public sealed interface AttachmentOutcome extends Outcome {

    @Override
    default String sentence() {
        return switch (this) {
            case Created _ -> "created";
            case Updated _ -> "updated";
            case Unchanged _ -> "unchanged";
            case Removed(int count) -> "deleted with its SpiderMultusConfig: " + count;
            case Refused(var why) -> "refused: " + why;
        };
    }

    record Created() implements AttachmentOutcome {}

    record Updated() implements AttachmentOutcome {}

    /// It is as it should be, or there should be none.
    record Unchanged() implements AttachmentOutcome {}

    /// Their SpiderMultusConfig does not exist any more.
    record Removed(int count) implements AttachmentOutcome {}

    /// It cannot be written as it should be.
    record Refused(String why) implements AttachmentOutcome {}
}
