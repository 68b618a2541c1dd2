package io.cadastre.datastore.etcd;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// One request and its answer.
///
/// Knows whether the request may have left: gRPC ends a call that waited in vain for a connection
/// with the same status as one whose connection broke, but only the second was ever given a stream.
final class Exchange extends ClientCall.Listener<ProtoReader> {

    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private volatile boolean sent;
    private volatile @Nullable ProtoReader message;
    private @Nullable ClientCall<ProtoWriter, ProtoReader> call;

    void begin(Channel channel, EtcdClient.Outgoing outgoing, Deadline deadline) {
        var options = CallOptions.DEFAULT.withDeadline(deadline).withStreamTracerFactory(new SentTracer());
        var begun = channel.newCall(outgoing.method(), options);
        call = begun;
        begun.start(this, outgoing.headers());
        begun.request(2);
        begun.sendMessage(outgoing.request());
        begun.halfClose();
    }

    /// Waits for the end, which the deadline brings about at the latest.
    Status await() {
        try {
            return end.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            if (call != null) {
                call.cancel("the caller was interrupted", interrupted);
            }
            return Status.CANCELLED.withDescription("the caller was interrupted");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Whether the request was given to a connection, from where it may have reached etcd.
    boolean sent() {
        return sent;
    }

    ProtoReader message() {
        var received = message;
        if (received == null) {
            throw new IllegalStateException("a call ended well without an answer");
        }
        return received;
    }

    @Override
    public void onMessage(ProtoReader received) {
        message = received;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        boolean empty = status.isOk() && message == null;
        end.complete(empty ? Status.INTERNAL.withDescription("an answer without content") : status);
    }

    private final class SentTracer extends ClientStreamTracer.Factory {

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void streamCreated(Attributes transport, Metadata sentHeaders) {
                    sent = true;
                }
            };
        }
    }
}
