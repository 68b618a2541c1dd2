package io.cadastre.datastore.etcd;

import io.cadastre.datastore.StoreIdentity;
import io.grpc.Status;
import java.util.Optional;

/// How one attempt at a call ended.
sealed interface EtcdReply {

    /// With an answer.
    ///
    /// @param known how far the store had come for all that was known when the request was sent
    record Answer(ProtoReader message, Optional<StoreIdentity> known, EtcdEndpoint endpoint) implements EtcdReply {}

    /// With a status, from etcd or from the connection, after the request may have been sent.
    record Ended(Status status, EtcdEndpoint endpoint) implements EtcdReply {}

    /// Before anything was sent: no endpoint could be reached.
    record Unsent(String reason) implements EtcdReply {}
}
