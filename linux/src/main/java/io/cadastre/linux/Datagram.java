package io.cadastre.linux;

/// One datagram as it was received, and the socket address it came from.
final class Datagram {

    private final byte[] bytes;
    private final byte[] sender;

    /// Keeps both arrays; the caller must not.
    Datagram(byte[] bytes, byte[] sender) {
        this.bytes = bytes;
        this.sender = sender;
    }

    byte[] bytes() {
        return bytes;
    }

    Payload sender() {
        return Payload.of(sender);
    }
}
