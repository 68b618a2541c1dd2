package io.cadastre.engine.nodecidr.multipool;

import java.util.List;

/// What an event came to.
public sealed interface MultiPoolOutcome {

    /// The pool is as its object says.
    record PoolStored(String pool) implements MultiPoolOutcome {}

    record PoolDeleted(String pool) implements MultiPoolOutcome {}

    /// The pool stays as it was.
    record PoolRefused(MultiPoolFault fault) implements MultiPoolOutcome {}

    record Synced() implements MultiPoolOutcome {}

    /// What the node has is noted; it is looked at again once all nodes are known.
    record Noted(String node) implements MultiPoolOutcome {}

    /// What the node has now.
    ///
    /// @param faults each is a line of the error in its status, and a reason to look at it again
    record Reconciled(String node, List<PooledBlock> blocks, List<MultiPoolFault> faults) implements MultiPoolOutcome {
        public Reconciled {
            blocks = List.copyOf(blocks);
            faults = List.copyOf(faults);
        }
    }

    record NodeDeleted(String node) implements MultiPoolOutcome {}
}
