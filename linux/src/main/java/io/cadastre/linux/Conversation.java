package io.cadastre.linux;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Requests and their answers over one transport, one at a time.
///
/// A dump that changed while it was read, or of which datagrams were lost, is asked for again, since it
/// only reads. A change whose acknowledgement was lost is not: it may have happened, and the caller must
/// look.
final class Conversation implements AutoCloseable {

    private static final int DUMP_ATTEMPTS_MAX = 20;
    private static final int ANSWER_PARTS_MAX = 1 << 20;

    private final Transport transport;
    private final Duration answerLimit;

    /// Guards the transport and the sequence: an answer belongs to the request before it.
    private final ReentrantLock turn = new ReentrantLock();

    private int sequence;

    /// @param answerLimit how long a whole answer may take
    Conversation(Transport transport, Duration answerLimit) {
        this.transport = transport;
        this.answerLimit = answerLimit;
    }

    /// Asks for a change, or for one thing. The answer to a change is empty.
    ///
    /// @throws LinuxException with the kernel's errno
    List<Payload> ask(String operation, NetlinkRequest request) {
        turn.lock();
        try {
            return converse(operation, request).parts();
        } finally {
            turn.unlock();
        }
    }

    /// Asks for all there is of something, as it was at one moment.
    List<Payload> dump(String operation, NetlinkRequest request) {
        turn.lock();
        try {
            for (int attempt = 1; attempt <= DUMP_ATTEMPTS_MAX; attempt++) {
                try {
                    var answer = converse(operation, request);
                    if (!answer.interrupted()) {
                        return answer.parts();
                    }
                } catch (LinuxException failure) {
                    if (failure.errno() != Errno.ENOBUFS) {
                        throw failure;
                    }
                }
            }
            throw new LinuxException(
                    operation,
                    Errno.EAGAIN.number(),
                    "it changed during each of %d readings".formatted(DUMP_ATTEMPTS_MAX));
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        turn.lock();
        try {
            transport.close();
        } finally {
            turn.unlock();
        }
    }

    private Answer converse(String operation, NetlinkRequest request) {
        var deadline = KernelDeadline.after(answerLimit);
        int own = ++sequence;
        transport.send(operation, request.bytes(own));
        var parts = new ArrayList<Payload>();
        boolean interrupted = false;
        // Ends: the deadline ends each receive.
        while (true) {
            for (var reply : NetlinkReply.split(transport.receive(operation, deadline))) {
                // The late answer to a request that was given up.
                if (reply.sequence() != own) {
                    continue;
                }
                interrupted |= reply.interrupted();
                switch (reply.type()) {
                    case NetlinkReply.NOOP -> {}
                    case NetlinkReply.OVERRUN -> throw new LinuxException(operation, Errno.ENOBUFS);
                    case NetlinkReply.ERROR, NetlinkReply.DONE -> {
                        if (reply.errno() != 0) {
                            throw new LinuxException(operation, reply.errno(), reply.explanation());
                        }
                        return new Answer(parts, interrupted);
                    }
                    default -> parts.add(reply.payload());
                }
            }
            if (parts.size() > ANSWER_PARTS_MAX) {
                throw new LinuxException(operation, Errno.EOVERFLOW);
            }
        }
    }

    private record Answer(List<Payload> parts, boolean interrupted) {}
}
