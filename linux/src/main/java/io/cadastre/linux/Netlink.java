package io.cadastre.linux;

import java.time.Duration;

/// A connection to the network configuration of one namespace.
///
/// The namespace is entered only to open it. Afterwards it may be used from any thread, also a virtual
/// one; calls that come together wait for each other. A call holds its carrier for as long as the
/// kernel takes, which is microseconds unless the whole machine's network configuration is locked.
public final class Netlink implements AutoCloseable {

    /// How long to wait for an answer unless another limit is given. The kernel does its work while the
    /// request is sent, and that cannot be cut short.
    public static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private final Conversation conversation;

    private Netlink(Conversation conversation) {
        this.conversation = conversation;
    }

    public static Netlink open(Namespace namespace) {
        return open(namespace, ANSWER_LIMIT);
    }

    public static Netlink open(Namespace namespace, Duration answerLimit) {
        Transport socket = namespace.inside(KernelSocket::open);
        return new Netlink(new Conversation(socket, answerLimit));
    }

    public Links links() {
        return new Links(conversation);
    }

    public LinkAddresses addresses() {
        return new LinkAddresses(conversation);
    }

    public Routes routes() {
        return new Routes(conversation);
    }

    public Neighbours neighbours() {
        return new Neighbours(conversation);
    }

    @Override
    public void close() {
        conversation.close();
    }
}
