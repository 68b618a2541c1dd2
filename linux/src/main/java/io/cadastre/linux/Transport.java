package io.cadastre.linux;

/// Carries whole datagrams to the kernel and back.
interface Transport extends AutoCloseable {

    void send(String operation, byte[] datagram);

    /// The next datagram of the kernel's.
    ///
    /// @throws LinuxException with `ETIMEDOUT` when the deadline came first, with `ENOBUFS` when datagrams
    ///     were lost
    byte[] receive(String operation, KernelDeadline deadline);

    @Override
    void close();
}
