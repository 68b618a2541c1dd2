package io.cadastre.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;

/// The calls of the C library that the JDK has no class for. Native memory is seen here and nowhere
/// else.
///
/// Every call names the operation it serves, for the exception it ends in. A call that a signal
/// interrupted is made again; one that could wait for long is never made without a deadline.
@SuppressWarnings("restricted")
final class LibC {

    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_CLOEXEC = 0x80000;
    static final int SOCK_CLOEXEC = 0x80000;

    private static final int CLONE_NEWNET = 0x40000000;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final short POLLIN = 1;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int POLLFD_BYTES = 8;
    private static final int STATFS_BYTES = 120;

    /// More than any architecture's `struct stat`. Device and inode come first on all of them.
    private static final int STAT_BYTES = 256;

    /// More than any socket address.
    private static final int SOCKADDR_BYTES = 128;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle OPEN = function(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle FLOCK = function("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle STATFS = function("statfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle FSTAT = function("fstat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle MOUNT =
            function("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle UMOUNT = function("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETNS = function("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle UNSHARE = function("unshare", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SENDTO = function(
            "sendto", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle RECVFROM = function(
            "recvfrom", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle POLL =
            function("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private LibC() {}

    static int open(String operation, String path, int flags, int mode) {
        return (int) call(operation, (arena, errno) ->
                (int) OPEN.invokeExact(errno, text(operation, arena, path), flags | O_CLOEXEC, mode));
    }

    /// An interrupted close has closed nevertheless, and the number may be another file's by now: it
    /// is the one call that must not be made again.
    static void close(int descriptor) {
        try {
            invoke("close", (_, errno) -> (int) CLOSE.invokeExact(errno, descriptor));
        } catch (LinuxException failure) {
            if (failure.errno() != Errno.EINTR) {
                throw failure;
            }
        }
    }

    /// What one call of read gives, at most this many bytes.
    static byte[] read(String operation, int descriptor, int bytesMax) {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(bytesMax);
            long size =
                    call(operation, (_, errno) -> (long) READ.invokeExact(errno, descriptor, buffer, (long) bytesMax));
            return buffer.asSlice(0, size).toArray(JAVA_BYTE);
        }
    }

    /// Writes in one call, as files of `/proc` want it.
    static void write(String operation, int descriptor, byte[] bytes) {
        long written = call(operation, (arena, errno) ->
                (long) WRITE.invokeExact(errno, descriptor, arena.allocateFrom(JAVA_BYTE, bytes), (long) bytes.length));
        if (written != bytes.length) {
            throw new LinuxException(operation, Errno.EIO);
        }
    }

    /// Whether the exclusive lock was free. Does not wait.
    static boolean tryLock(String operation, int descriptor) {
        try {
            call(operation, (_, errno) -> (int) FLOCK.invokeExact(errno, descriptor, LOCK_EX | LOCK_NB));
            return true;
        } catch (LinuxException failure) {
            if (failure.errno() == Errno.EAGAIN) {
                return false;
            }
            throw failure;
        }
    }

    /// The number of the type of the file system below a path.
    static long fileSystemMagic(String operation, String path) {
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(STATFS_BYTES, Long.BYTES);
            call(operation, (inner, errno) -> (int) STATFS.invokeExact(errno, text(operation, inner, path), answer));
            return answer.get(JAVA_LONG, 0);
        }
    }

    static FileIdentity identity(String operation, int descriptor) {
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(STAT_BYTES, Long.BYTES);
            call(operation, (_, errno) -> (int) FSTAT.invokeExact(errno, descriptor, answer));
            return new FileIdentity(answer.get(JAVA_LONG, 0), answer.get(JAVA_LONG, Long.BYTES));
        }
    }

    static void mount(String operation, String source, String target, long flags) {
        call(operation, (arena, errno) -> (int) MOUNT.invokeExact(
                errno,
                text(operation, arena, source),
                text(operation, arena, target),
                text(operation, arena, "none"),
                flags,
                MemorySegment.NULL));
    }

    static void unmount(String operation, String target, int flags) {
        call(operation, (arena, errno) -> (int) UMOUNT.invokeExact(errno, text(operation, arena, target), flags));
    }

    /// Takes the calling platform thread into another network namespace.
    static void enterNetwork(String operation, int descriptor) {
        call(operation, (_, errno) -> (int) SETNS.invokeExact(errno, descriptor, CLONE_NEWNET));
    }

    /// Gives the calling platform thread a network namespace of its own.
    static void leaveNetwork(String operation) {
        call(operation, (_, errno) -> (int) UNSHARE.invokeExact(errno, CLONE_NEWNET));
    }

    static int socket(String operation, int domain, int type, int protocol) {
        return (int)
                call(operation, (_, errno) -> (int) SOCKET.invokeExact(errno, domain, type | SOCK_CLOEXEC, protocol));
    }

    static void bind(String operation, int descriptor, byte[] address) {
        call(operation, (arena, errno) ->
                (int) BIND.invokeExact(errno, descriptor, arena.allocateFrom(JAVA_BYTE, address), address.length));
    }

    static void setOption(String operation, int descriptor, int level, int option, byte[] value) {
        call(operation, (arena, errno) -> (int) SETSOCKOPT.invokeExact(
                errno, descriptor, level, option, arena.allocateFrom(JAVA_BYTE, value), value.length));
    }

    static void send(String operation, int descriptor, byte[] bytes, byte[] address) {
        call(operation, (arena, errno) -> (long) SENDTO.invokeExact(
                errno,
                descriptor,
                arena.allocateFrom(JAVA_BYTE, bytes),
                (long) bytes.length,
                0,
                arena.allocateFrom(JAVA_BYTE, address),
                address.length));
    }

    /// The datagram that is there. Does not wait: ask [#poll(String,int,KernelDeadline)] first.
    ///
    /// @throws LinuxException with `EMSGSIZE` if it is longer than expected
    static Datagram receive(String operation, int descriptor, int bytesMax) {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(bytesMax);
            var sender = arena.allocate(SOCKADDR_BYTES);
            var senderSize = arena.allocateFrom(JAVA_INT, SOCKADDR_BYTES);
            long size = call(operation, (_, errno) -> (long) RECVFROM.invokeExact(
                    errno, descriptor, buffer, (long) bytesMax, MSG_DONTWAIT | MSG_TRUNC, sender, senderSize));
            if (size > bytesMax) {
                throw new LinuxException(operation, Errno.EMSGSIZE);
            }
            var from = Arrays.copyOf(sender.toArray(JAVA_BYTE), senderSize.get(JAVA_INT, 0));
            return new Datagram(buffer.asSlice(0, size).toArray(JAVA_BYTE), from);
        }
    }

    /// Waits until there is something to receive, which may be an error; false when the deadline came
    /// first. The thread, and the carrier of a virtual one, is held meanwhile.
    static boolean poll(String operation, int descriptor, KernelDeadline deadline) {
        try (var arena = Arena.ofConfined()) {
            var request = arena.allocate(POLLFD_BYTES, Integer.BYTES);
            request.set(JAVA_INT, 0, descriptor);
            request.set(JAVA_SHORT, Integer.BYTES, POLLIN);
            // Ends: each round shortens what is left until the deadline.
            while (true) {
                int millis = roundedUpMillis(deadline.left());
                try {
                    long ready = invoke(operation, (_, errno) -> (int) POLL.invokeExact(errno, request, 1L, millis));
                    if (ready > 0 || deadline.over()) {
                        return ready > 0;
                    }
                } catch (LinuxException failure) {
                    if (failure.errno() != Errno.EINTR) {
                        throw failure;
                    }
                }
            }
        }
    }

    private static int roundedUpMillis(Duration left) {
        return (int) Math.min(Integer.MAX_VALUE, left.plusNanos(999_999).toMillis());
    }

    private static MemorySegment text(String operation, Arena arena, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new LinuxException(operation, Errno.EINVAL);
        }
        return arena.allocateFrom(text);
    }

    /// A call that is made again when a signal interrupted it.
    private static long call(String operation, Call call) {
        // Ends: signals that interrupt are rare, and none of these calls waits.
        while (true) {
            try {
                return invoke(operation, call);
            } catch (LinuxException failure) {
                if (failure.errno() != Errno.EINTR) {
                    throw failure;
                }
            }
        }
    }

    private static long invoke(String operation, Call call) {
        try (var arena = Arena.ofConfined()) {
            var captured = arena.allocate(CAPTURED);
            long result = call.make(arena, captured);
            if (result < 0) {
                throw new LinuxException(operation, (int) ERRNO.get(captured, 0L));
            }
            return result;
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException(operation, impossible);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... more) {
        var options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    /// One downcall; arguments live in the arena, errno in the segment.
    @FunctionalInterface
    private interface Call {
        long make(Arena arena, MemorySegment errno) throws Throwable;
    }
}
