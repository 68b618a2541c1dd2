package io.cadastre.engine.pool.collect;

/// The rules by which records and endpoints are taken back or kept.
public enum CollectRule {
    // The pod does not exist.
    POD_AND_ENDPOINT_GONE("neither the pod nor its endpoint exists"),
    POD_GONE("the pod does not exist"),
    POD_RETURNS("the pod does not exist, but its owner will create it again"),
    POD_ABANDONED("the pod does not exist, and its owner will not create it again"),

    // The pod exists. Does its state call for release?
    ENDED_VALID("the pod has ended, and its owner will create it again"),
    ENDED_INVALID("the pod has ended, and its owner will not create it again"),
    ENDED_UNDELETED("the pod has ended; its grace period decides"),
    PENDING("the pod is pending"),
    ALIVE("the pod is alive"),
    WITHOUT_ADDRESSES_VALID("the pod reports no address, and its owner keeps its addresses for it"),
    WITHOUT_ADDRESSES_INVALID("the pod reports no address, and its owner does not want it"),
    WITHOUT_ADDRESSES_GATE_OPEN("the pod runs and reports no address, and the settings release those"),
    WITHOUT_ADDRESSES_GATE_CLOSED("the pod runs and reports no address, and the settings keep those"),
    WITHOUT_ADDRESSES_UNKNOWN("the phase of the pod is unknown, and it reports no address"),
    GRACE_OVER("the grace period of the pod's deletion is over"),
    GRACE_OVER_KEPT(
            "the grace period of the pod's deletion is over, but its owner keeps its addresses until the pod is gone"),
    GRACE_OVER_GATE_CLOSED(
            "the grace period of the pod's deletion is over, and the settings keep what pods on such a node have"),
    GRACE_OVER_NODE_UNKNOWN("the grace period of the pod's deletion is over, but its node is unknown"),
    GRACE_RUNS("the grace period of the pod's deletion is not over"),
    GRACE_RUNS_VALID("the pod is being deleted, and its owner will create it again"),
    GRACE_RUNS_WITHOUT_ADDRESSES("the pod is being deleted and reports no address"),

    // The pod exists, and the record or the endpoint is of another uid.
    RECORD_OF_EARLIER_POD("the record is of an earlier pod of that name"),
    RECORD_IN_USE("the record is of an earlier pod of that name, and the pod reports the address"),
    RECORD_SUPERSEDED("the record is of an earlier pod of that name, and the pod has another address"),
    RECORD_ABANDONED("the record is of an earlier pod of that name, whose owner does not want it any more"),
    RECORD_INHERITED("the record is of an earlier pod of that name, whose addresses the pod inherits"),
    ENDPOINT_OF_EARLIER_POD("the endpoint is of an earlier pod of that name"),
    ENDPOINT_SUPERSEDED("the endpoint is of an earlier pod of that name, and the pod has another address"),
    ENDPOINT_ABANDONED("the endpoint is of an earlier pod of that name, whose owner does not want it any more"),
    ENDPOINT_INHERITED("the endpoint is of an earlier pod of that name, whose addresses the pod inherits"),

    // It is not known enough.
    POD_UNCLEAR("the pod, its owner or its node cannot be read"),
    ENDPOINT_UNREADABLE("the endpoint cannot be read"),

    // What was judged has changed since.
    RECORD_CHANGED("the pool does not record that any more"),
    ENDPOINT_GONE("the pod has no endpoint"),
    ENDPOINT_CHANGED("the endpoint is of another pod by now"),

    FORCED("an operator had it released"),

    // Endpoints that no record belongs to.
    ENDPOINT_WITHOUT_RECORDS("no pool that the endpoint names has a record of the pod"),
    ENDPOINT_WITH_RECORDS("a pool that the endpoint names has a record of the pod"),
    ENDPOINT_OF_LOST_POOL("a pool that the endpoint names does not exist");

    private final String words;

    CollectRule(String words) {
        this.words = words;
    }

    /// A sentence without a full stop.
    public String words() {
        return words;
    }
}
