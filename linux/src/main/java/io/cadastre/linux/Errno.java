package io.cadastre.linux;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Why the kernel refused, by its own names.
///
/// The words are those of the C library, without a capital: so a sentence of ours reads as the same
/// sentence of a Go program.
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    ESRCH(3, "no such process"),
    EINTR(4, "interrupted system call"),
    EIO(5, "input/output error"),
    ENXIO(6, "no such device or address"),
    E2BIG(7, "argument list too long"),
    EBADF(9, "bad file descriptor"),
    EAGAIN(11, "resource temporarily unavailable"),
    ENOMEM(12, "cannot allocate memory"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address"),
    EBUSY(16, "device or resource busy"),
    EEXIST(17, "file exists"),
    EXDEV(18, "invalid cross-device link"),
    ENODEV(19, "no such device"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "is a directory"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in system"),
    EMFILE(24, "too many open files"),
    ENOTTY(25, "inappropriate ioctl for device"),
    ETXTBSY(26, "text file busy"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left on device"),
    EROFS(30, "read-only file system"),
    EMLINK(31, "too many links"),
    EPIPE(32, "broken pipe"),
    EDOM(33, "numerical argument out of domain"),
    ERANGE(34, "numerical result out of range"),
    EDEADLK(35, "resource deadlock avoided"),
    ENAMETOOLONG(36, "file name too long"),
    ENOLCK(37, "no locks available"),
    ENOSYS(38, "function not implemented"),
    ENOTEMPTY(39, "directory not empty"),
    ELOOP(40, "too many levels of symbolic links"),
    ENODATA(61, "no data available"),
    EBADMSG(74, "bad message"),
    EOVERFLOW(75, "value too large for defined data type"),
    EUSERS(87, "too many users"),
    ENOTSOCK(88, "socket operation on non-socket"),
    EDESTADDRREQ(89, "destination address required"),
    EMSGSIZE(90, "message too long"),
    EPROTOTYPE(91, "protocol wrong type for socket"),
    ENOPROTOOPT(92, "protocol not available"),
    EPROTONOSUPPORT(93, "protocol not supported"),
    EOPNOTSUPP(95, "operation not supported"),
    EAFNOSUPPORT(97, "address family not supported by protocol"),
    EADDRINUSE(98, "address already in use"),
    EADDRNOTAVAIL(99, "cannot assign requested address"),
    ENETDOWN(100, "network is down"),
    ENETUNREACH(101, "network is unreachable"),
    ENETRESET(102, "network dropped connection on reset"),
    ECONNABORTED(103, "software caused connection abort"),
    ECONNRESET(104, "connection reset by peer"),
    ENOBUFS(105, "no buffer space available"),
    EISCONN(106, "transport endpoint is already connected"),
    ENOTCONN(107, "transport endpoint is not connected"),
    ETIMEDOUT(110, "connection timed out"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTDOWN(112, "host is down"),
    EHOSTUNREACH(113, "no route to host"),
    EALREADY(114, "operation already in progress"),
    EINPROGRESS(115, "operation now in progress"),
    ESTALE(116, "stale file handle"),
    EREMOTEIO(121, "remote I/O error"),
    EDQUOT(122, "disk quota exceeded"),
    ECANCELED(125, "operation canceled"),
    /// A number of the kernel's own that was never meant to leave it, and does in answers of netlink.
    ENOTSUPP(524, "operation not supported"),
    /// Any number that is not listed; [LinuxException#number()] has it.
    OTHER(0, "unknown error");

    private static final Map<Integer, Errno> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toMap(Errno::number, Function.identity()));

    private final int number;
    private final String words;

    Errno(int number, String words) {
        this.number = number;
        this.words = words;
    }

    static Errno of(int number) {
        return BY_NUMBER.getOrDefault(number, OTHER);
    }

    public int number() {
        return number;
    }

    public String words() {
        return words;
    }
}
