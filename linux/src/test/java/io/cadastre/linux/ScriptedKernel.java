package io.cadastre.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// A kernel whose answers are written down beforehand: one list of datagrams for each request.
final class ScriptedKernel implements Transport {

    private final Deque<List<Part>> script = new ArrayDeque<>();
    private final Deque<Part> pending = new ArrayDeque<>();
    private int sequence;
    private int requests;

    /// @param datagrams the answer to the next request, made from its sequence number
    ScriptedKernel answers(Part... datagrams) {
        script.add(List.of(datagrams));
        return this;
    }

    /// What a receive ends in when datagrams were lost.
    static Part lost() {
        return _ -> {
            throw new LinuxException("receive", Errno.ENOBUFS);
        };
    }

    int requests() {
        return requests;
    }

    @Override
    public void send(String operation, byte[] datagram) {
        sequence = ByteBuffer.wrap(datagram).order(ByteOrder.nativeOrder()).getInt(8);
        requests++;
        pending.addAll(script.isEmpty() ? List.of() : script.remove());
    }

    @Override
    public byte[] receive(String operation, KernelDeadline deadline) {
        if (pending.isEmpty()) {
            throw new LinuxException(operation, Errno.ETIMEDOUT);
        }
        return pending.remove().to(sequence);
    }

    @Override
    public void close() {}

    /// One datagram of an answer.
    @FunctionalInterface
    interface Part {
        byte[] to(int sequence);
    }
}
