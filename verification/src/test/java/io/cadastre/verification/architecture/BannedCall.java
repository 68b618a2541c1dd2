package io.cadastre.verification.architecture;

import java.util.List;
import java.util.regex.Pattern;

/// A call that has a better replacement.
///
/// @param call what it looks like in code
/// @param where it is banned from
/// @param replacement what to write instead
record BannedCall(Pattern call, Where where, String replacement) {

    /// The files a call is banned from.
    enum Where {
        EVERYWHERE,
        OUTSIDE_OF_MAIN,
        /// What others call without a check.
        IN_THE_LIBRARY;

        private static final String MAIN = "cli/src/main/java/io/cadastre/cli/Main.java";

        /// A process of its own, which a stub starts.
        private static final String DOORBELL = "cni/src/main/java/io/cadastre/cni/doorbell/DoorbellMain.java";

        boolean covers(String file) {
            return switch (this) {
                case EVERYWHERE -> true;
                case OUTSIDE_OF_MAIN -> !file.equals(MAIN);
                case IN_THE_LIBRARY ->
                    file.contains("/src/main/java/")
                            && !file.equals(DOORBELL)
                            && !file.startsWith("cli/")
                            && !file.startsWith("verification/");
            };
        }
    }

    static final List<BannedCall> ALL = List.of(
            banned(
                    "Thread\\s*\\.\\s*sleep",
                    Where.OUTSIDE_OF_MAIN,
                    "a pause given by the constructor, or Awaitility in a test"),
            banned(
                    "Instant\\s*(\\.|::)\\s*now\\b",
                    Where.OUTSIDE_OF_MAIN,
                    "an InstantSource given by the constructor, or a fixed Instant in a" + " test"),
            banned(
                    "System\\s*(\\.|::)\\s*currentTimeMillis",
                    Where.OUTSIDE_OF_MAIN,
                    "an InstantSource given by the constructor"),
            banned("new\\s+(java\\.util\\.)?Date\\b", Where.EVERYWHERE, "java.time.Instant"),
            banned("System\\s*\\.\\s*(out|err)\\b", Where.IN_THE_LIBRARY, "return a value; the command line prints it"),
            banned(
                    "System\\s*\\.\\s*getenv",
                    Where.IN_THE_LIBRARY,
                    "settings in a record, read by the command line and passed down"),
            banned(
                    "System\\s*\\.\\s*exit|Runtime.*\\.\\s*halt",
                    Where.IN_THE_LIBRARY,
                    "return a value or throw; the command line ends the process"),
            banned(
                    "\\.\\s*printStackTrace\\s*\\(\\s*\\)",
                    Where.EVERYWHERE,
                    "let it be thrown, or put the facts into the message of another"),
            banned("@Disabled\\b", Where.EVERYWHERE, "mend the test, or delete it"),
            banned(
                    "Executors\\s*(\\.|::)\\s*newCachedThreadPool",
                    Where.EVERYWHERE,
                    "Executors.newVirtualThreadPerTaskExecutor, with a bound on the work"),
            banned("Math\\s*(\\.|::)\\s*random\\b", Where.EVERYWHERE, "a RandomGenerator given by the constructor"),
            banned("ThreadLocalRandom\\b", Where.OUTSIDE_OF_MAIN, "a RandomGenerator given by the constructor"),
            banned(
                    "new\\s+(java\\.util\\.)?Random\\s*\\(\\s*\\)",
                    Where.EVERYWHERE,
                    "a RandomGenerator with a seed that a failure can print"),
            banned(
                    "\\b(Mockito|EasyMock)\\b",
                    Where.EVERYWHERE,
                    "a real fake: the memory store, a fixed InstantSource"));

    private static BannedCall banned(String call, Where where, String replacement) {
        return new BannedCall(Pattern.compile(call), where, replacement);
    }
}
