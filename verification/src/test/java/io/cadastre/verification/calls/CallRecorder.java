package io.cadastre.verification.calls;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Records which types run, as called by the code that [RecordingLoader] has changed.
///
/// A recording begins whenever the root method is entered, and has what runs from then on that thread and on threads
/// that it starts.
public final class CallRecorder {

    private static final InheritableThreadLocal<Recording> CURRENT = new InheritableThreadLocal<>();
    private static final StackWalker STACK = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.DROP_METHOD_INFO));

    private static volatile Recording last = new Recording();

    private CallRecorder() {}

    /// The first caller of each type, in the order in which the types were entered.
    private static final class Recording {

        private final Map<String, String> callers = new LinkedHashMap<>();

        synchronized void enter(String type) {
            if (!callers.containsKey(type)) {
                callers.put(type, callerOf(type));
            }
        }

        synchronized List<String> lines() {
            return callers.entrySet().stream()
                    .map(call -> call.getKey() + " " + call.getValue())
                    .toList();
        }
    }

    /// Called where the root method begins.
    public static void begin() {
        var recording = new Recording();
        CURRENT.set(recording);
        last = recording;
    }

    /// Called where a method begins.
    ///
    /// @param type the top-level type of the method
    public static void enter(String type) {
        var recording = CURRENT.get();
        if (recording != null) {
            recording.enter(type);
        }
    }

    /// The nearest other type of the product on the stack; a dash if there is none.
    private static String callerOf(String type) {
        return STACK.walk(
                frames -> frames.map(frame -> topLevel(frame.getDeclaringClass().getName()))
                        .filter(RecordingLoader::records)
                        .filter(other -> !other.equals(type))
                        .findFirst()
                        .orElse("-"));
    }

    static String topLevel(String type) {
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    /// The last recording: a line for each type with its first caller.
    static List<String> last() {
        return last.lines();
    }
}
