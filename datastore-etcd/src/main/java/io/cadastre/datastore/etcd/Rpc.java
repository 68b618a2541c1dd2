package io.cadastre.datastore.etcd;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// The remote procedures of etcd that we call.
///
/// gRPC moves messages as bytes: they are written and read by the thread that calls, so that the one
/// thread that serves the connection does nothing else, and an answer that cannot be read is ours to
/// judge.
final class Rpc {

    static final MethodDescriptor<ProtoWriter, ProtoReader> RANGE =
            procedure("etcdserverpb.KV/Range", MethodType.UNARY);
    static final MethodDescriptor<ProtoWriter, ProtoReader> TRANSACTION =
            procedure("etcdserverpb.KV/Txn", MethodType.UNARY);
    static final MethodDescriptor<ProtoWriter, ProtoReader> WATCH =
            procedure("etcdserverpb.Watch/Watch", MethodType.BIDI_STREAMING);
    static final MethodDescriptor<ProtoWriter, ProtoReader> AUTHENTICATE =
            procedure("etcdserverpb.Auth/Authenticate", MethodType.UNARY);

    private Rpc() {}

    static MethodDescriptor<ProtoWriter, ProtoReader> procedure(String name, MethodType type) {
        return MethodDescriptor.<ProtoWriter, ProtoReader>newBuilder()
                .setFullMethodName(name)
                .setType(type)
                .setRequestMarshaller(new RequestMarshaller())
                .setResponseMarshaller(new AnswerMarshaller())
                .build();
    }

    private static final class RequestMarshaller implements MethodDescriptor.Marshaller<ProtoWriter> {

        @Override
        public InputStream stream(ProtoWriter request) {
            return request.asStream();
        }

        @Override
        public ProtoWriter parse(InputStream stream) {
            throw new UnsupportedOperationException("a client reads no requests");
        }
    }

    private static final class AnswerMarshaller implements MethodDescriptor.Marshaller<ProtoReader> {

        @Override
        public InputStream stream(ProtoReader answer) {
            throw new UnsupportedOperationException("a client writes no answers");
        }

        @Override
        public ProtoReader parse(InputStream stream) {
            try {
                return new ProtoReader(stream.readAllBytes());
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
