package io.cadastre.engine.nodecidr.clustercidr;

/// What a look at a ClusterCIDR came to that is here to stay.
public sealed interface Registration {

    /// It is used.
    record Registered(String name) implements Registration {}

    /// No block can be given out of it.
    ///
    /// @param fault a sentence without a full stop
    record Unusable(String name, String fault) implements Registration {

        /// The reason of the event that upstream records when it finds one at its start.
        public static final String EVENT_REASON =
                "InvalidClusterCIDR encountered while regenerating ClusterCIDR during bootstrap.";
    }
}
