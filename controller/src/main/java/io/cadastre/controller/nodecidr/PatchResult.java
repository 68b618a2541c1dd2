package io.cadastre.controller.nodecidr;

import io.cadastre.wire.kubernetes.NodeObject;

/// What became of a patch that gives a Node its CIDRs.
sealed interface PatchResult {

    /// The Node has them, at this revision or before.
    record Assigned(long revision) implements PatchResult {}

    /// There is no such Node any more.
    record Gone() implements PatchResult {}

    /// Another writer gave the Node other CIDRs.
    record Rivalled(NodeObject node) implements PatchResult {}

    /// The Node was not seen with them, and may be given CIDRs again.
    record Failed(String failure) implements PatchResult {}
}
