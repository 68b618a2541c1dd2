package io.cadastre.agent;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.TreeMap;

/// A client that rings at an agent's socket.
record Caller(SocketChannel channel) implements AutoCloseable {

    static Caller at(Path socket) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return new Caller(channel);
    }

    static Call call(CniVerb verb, String container) {
        return call("trial", verb, container, "{\"cniVersion\": \"1.1.0\", \"name\": \"net\"}");
    }

    static Call call(String plugin, CniVerb verb, String container, String config) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", container);
        environment.put("CNI_NETNS", "/none");
        environment.put("CNI_IFNAME", "eth0");
        environment.put("CNI_PATH", "/none");
        return new Call(plugin, environment, Bytes.ofUtf8(config));
    }

    static CniAnswer ring(Path socket, Call call) throws IOException {
        try (var caller = at(socket)) {
            return caller.say(DoorbellFrame.encode(call).toByteArray()).hear();
        }
    }

    Caller say(byte[] bytes) throws IOException {
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        return this;
    }

    Caller say(Call call) throws IOException {
        return say(DoorbellFrame.encode(call).toByteArray());
    }

    CniAnswer hear() throws IOException {
        return DoorbellFrame.readAnswer(Channels.newInputStream(channel));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
