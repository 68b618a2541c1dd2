package io.cadastre.wire.spiderpool;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A form of the agent's API that its receiver cannot use.
public final class UnreadableFormException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<String> missing;

    private UnreadableFormException(String message, List<String> missing, @Nullable Throwable cause) {
        super(message, cause);
        this.missing = List.copyOf(missing);
    }

    /// It is not a JSON object, or a member does not have the type or form that it should.
    static UnreadableFormException malformed(String fault) {
        return new UnreadableFormException(fault, List.of(), null);
    }

    static UnreadableFormException malformed(String fault, Throwable cause) {
        return new UnreadableFormException(fault, List.of(), cause);
    }

    /// It has not all members that it must have.
    public static UnreadableFormException incomplete(List<String> missing) {
        return new UnreadableFormException(
                missing.stream()
                        .map(UnreadableFormException::required)
                        .collect(Collectors.joining("\n", "validation failure list:\n", "")),
                missing,
                null);
    }

    private static String required(String member) {
        return member + " in body is required";
    }

    /// The members that must be there and are not; none if the fault is another one.
    public List<String> missing() {
        return missing;
    }

    /// The message of the first fault alone, as Spiderpool's agent answers it.
    public String firstFault() {
        return missing.isEmpty() ? String.valueOf(getMessage()) : required(missing.getFirst());
    }
}
