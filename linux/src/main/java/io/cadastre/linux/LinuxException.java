package io.cadastre.linux;

import java.util.Optional;

/// The kernel refused an operation, or gave an answer that cannot be used.
///
/// The message is the operation, the errno in words and, where netlink gave one, the kernel's own
/// explanation: `add address 10.0.0.7/32 to link 2: file exists: ipv4: Address already assigned`.
public final class LinuxException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String operation;
    private final int number;
    private final String explanation;

    public LinuxException(String operation, Errno errno) {
        this(operation, errno.number(), "");
    }

    LinuxException(String operation, int number) {
        this(operation, number, "");
    }

    LinuxException(String operation, int number, String explanation) {
        this(operation, number, explanation, sentence(operation, number, explanation));
    }

    private LinuxException(String operation, int number, String explanation, String message) {
        super(message);
        this.operation = operation;
        this.number = number;
        this.explanation = explanation;
    }

    /// A path that leads to something else than a namespace. The words are those of the reference
    /// plugins, which name the type of the file system and no errno.
    static LinuxException notNamespace(String path, long magic) {
        var operation = "unknown FS magic on " + Quote.of(path);
        return new LinuxException(operation, Errno.EINVAL.number(), "", operation + ": " + Long.toHexString(magic));
    }

    /// An answer of the kernel that breaks its own format.
    static LinuxException malformed(String operation, String fault) {
        return new LinuxException(operation, Errno.EBADMSG.number(), fault);
    }

    public Errno errno() {
        return Errno.of(number);
    }

    /// The errno as a number, also where it has no name here.
    public int number() {
        return number;
    }

    /// What was tried, in words.
    public String operation() {
        return operation;
    }

    /// What the kernel said beyond the errno.
    public Optional<String> explanation() {
        return explanation.isEmpty() ? Optional.empty() : Optional.of(explanation);
    }

    private static String sentence(String operation, int number, String explanation) {
        var errno = Errno.of(number);
        var words = errno == Errno.OTHER ? "errno " + number : errno.words();
        return explanation.isEmpty()
                ? "%s: %s".formatted(operation, words)
                : "%s: %s: %s".formatted(operation, words, explanation);
    }
}
