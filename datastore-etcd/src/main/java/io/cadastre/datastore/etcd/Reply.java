package io.cadastre.datastore.etcd;

import io.grpc.Status;

/// How one attempt at a call ended.
sealed interface Reply {

    /// With an answer.
    record Answer(ProtoReader message) implements Reply {}

    /// With a status, from etcd or from the connection, after the request may have been sent.
    record Ended(Status status, EtcdEndpoint endpoint) implements Reply {}

    /// Before anything was sent: no endpoint could be reached.
    record Unsent(String reason) implements Reply {}
}
