package io.cadastre.wire.cni;

import io.cadastre.datastore.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A plugin: the versions it supports, and what it does for each verb.
///
/// [#answer] turns the environment and the input of a process into its output. [#perform] is for another plugin of
/// the same process: it takes a call that was read, and returns a value.
///
/// The order of the checks is that of the reference code, since it decides which of several faults is
/// reported, with one exception. The container's namespace is compared with the plugin's own before ADD and
/// DEL are handled and not after: an ADD that fails then has allocated nothing, and a DEL has not removed
/// the host's own interface.
public final class CniPlugin {

    private static final String COMMAND = "CNI_COMMAND";
    private static final String CONTAINER_ID = "CNI_CONTAINERID";
    private static final String NETNS = "CNI_NETNS";
    private static final String IFNAME = "CNI_IFNAME";
    private static final String ARGS = "CNI_ARGS";
    private static final String PATH = "CNI_PATH";
    private static final String NETNS_OVERRIDE = "CNI_NETNS_OVERRIDE";

    private static final String CHECK_SINCE = "0.4.0";
    private static final String GC_AND_STATUS_SINCE = "1.1.0";

    private static final int CAUSES_MAX = 100;

    /// Handles an ADD.
    @FunctionalInterface
    public interface Addition {
        CniResult add(CniCall call) throws Exception;
    }

    /// Handles a verb that prints nothing.
    @FunctionalInterface
    public interface Handler {
        void handle(CniCall call) throws Exception;
    }

    /// Handles any verb.
    @FunctionalInterface
    private interface VerbHandler {
        Optional<CniResult> handle(CniCall call) throws Exception;
    }

    private final List<String> supportedVersions;
    private final String about;
    private final Map<CniVerb, VerbHandler> handlers;

    private CniPlugin(List<String> supportedVersions, String about, Map<CniVerb, VerbHandler> handlers) {
        this.supportedVersions = List.copyOf(supportedVersions);
        this.about = about;
        this.handlers = handlers;
    }

    /// A plugin that does nothing yet: a verb without a handler succeeds and prints nothing.
    public static CniPlugin supporting(List<String> versions) {
        return new CniPlugin(versions, "", Collections.unmodifiableMap(new EnumMap<>(CniVerb.class)));
    }

    /// Answers a call without a verb with this text.
    public CniPlugin withAbout(String text) {
        return new CniPlugin(supportedVersions, text, handlers);
    }

    /// The result is printed in the version of the configuration.
    public CniPlugin onAdd(Addition addition) {
        return on(CniVerb.ADD, call -> Optional.of(addition.add(call)));
    }

    public CniPlugin onDel(Handler handler) {
        return on(CniVerb.DEL, silent(handler));
    }

    public CniPlugin onCheck(Handler handler) {
        return on(CniVerb.CHECK, silent(handler));
    }

    public CniPlugin onGc(Handler handler) {
        return on(CniVerb.GC, silent(handler));
    }

    public CniPlugin onStatus(Handler handler) {
        return on(CniVerb.STATUS, silent(handler));
    }

    private static VerbHandler silent(Handler handler) {
        return call -> {
            handler.handle(call);
            return Optional.empty();
        };
    }

    private CniPlugin on(CniVerb verb, VerbHandler handler) {
        var more = new EnumMap<CniVerb, VerbHandler>(CniVerb.class);
        more.putAll(handlers);
        more.put(verb, handler);
        return new CniPlugin(supportedVersions, about, Collections.unmodifiableMap(more));
    }

    public List<String> supportedVersions() {
        return supportedVersions;
    }

    /// Handles the call of another plugin of this process, which has compared the namespaces.
    ///
    /// @return the result of an ADD, with what the version of the configuration can say; empty for other verbs
    /// @throws CniException with the error that the plugin would print
    public Optional<CniResult> perform(CniCall call) {
        var version = call.config().cniVersion();
        checkVersion(call.verb(), version);
        return handle(call).map(result -> result.convert(version).convert(CniVersion.NEWEST));
    }

    /// Answers one call. Whatever happens, there is an answer: silence would be taken for success.
    public CniAnswer answer(Map<String, String> environment, StdinSource stdin, Namespaces namespaces) {
        return answer(environment, () -> NetworkConfig.read(readAll(stdin)), namespaces);
    }

    /// Answers one call whose configuration was read already, as the other method does.
    public CniAnswer answer(Map<String, String> environment, NetworkConfig config, Namespaces namespaces) {
        return answer(environment, () -> config, namespaces);
    }

    private CniAnswer answer(Map<String, String> environment, Supplier<NetworkConfig> reading, Namespaces namespaces) {
        var command = environment.getOrDefault(COMMAND, "");
        if (command.isEmpty() && !about.isEmpty()) {
            return CniAnswer.about(
                    "%s\nCNI protocol versions supported: %s\n".formatted(about, String.join(", ", supportedVersions)));
        }
        NetworkConfig config;
        try {
            checkEnvironment(command, environment);
            if (command.equals(CniVerb.VERSION.name())) {
                return CniAnswer.success(new PluginVersions(CniVersion.NEWEST, supportedVersions).print());
            }
            config = reading.get();
        } catch (CniException failure) {
            return CniAnswer.failure(failure.error(), CniVersion.NEWEST);
        }
        try {
            return CniAnswer.success(print(command, environment, config, namespaces));
        } catch (CniException failure) {
            return CniAnswer.failure(failure.error(), versionOfErrors(config));
        }
    }

    private static void checkEnvironment(String command, Map<String, String> environment) {
        var missing = new ArrayList<String>();
        for (var variable : required(command)) {
            var value = environment.getOrDefault(variable, "");
            if (value.isEmpty()) {
                missing.add(variable);
            } else if (variable.equals(CONTAINER_ID)) {
                CniNames.checkContainerId(value);
            } else if (variable.equals(IFNAME)) {
                CniNames.checkInterfaceName(value);
            }
        }
        if (!missing.isEmpty()) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT,
                    "required env variables [%s] missing".formatted(String.join(",", missing)));
        }
    }

    /// In the order in which they are checked and named.
    private static List<String> required(String command) {
        return switch (CniVerb.find(command).orElse(CniVerb.VERSION)) {
            case ADD, CHECK -> List.of(COMMAND, CONTAINER_ID, NETNS, IFNAME, PATH);
            case DEL -> List.of(COMMAND, CONTAINER_ID, IFNAME, PATH);
            case GC, STATUS -> List.of(COMMAND, PATH);
            case VERSION -> List.of(COMMAND);
        };
    }

    private static Bytes readAll(StdinSource stdin) {
        try {
            // One more than is allowed, so that what is cut off is not taken for a whole.
            return Bytes.of(stdin.read(CniJson.BYTES_MAX + 1));
        } catch (IOException unreadable) {
            throw new CniException(
                    CniError.of(CniCode.IO_FAILURE, "error reading from stdin: " + unreadable.getMessage()),
                    unreadable);
        }
    }

    private String print(String command, Map<String, String> environment, NetworkConfig config, Namespaces namespaces) {
        var verb = CniVerb.find(command)
                .orElseThrow(() -> new CniException(CniCode.INVALID_ENVIRONMENT, "unknown CNI_COMMAND: " + command));
        checkVersion(verb, config.cniVersion());
        var call = call(verb, environment, config);
        if (verb == CniVerb.ADD || verb == CniVerb.DEL) {
            checkNamespace(call, namespaces);
        }
        return handle(call).map(result -> result.print(config.cniVersion())).orElse("");
    }

    private void checkVersion(CniVerb verb, String version) {
        switch (verb) {
            case ADD, DEL, VERSION -> {}
            case CHECK -> checkVerbAllowed(verb, version, CHECK_SINCE);
            case GC, STATUS -> checkVerbAllowed(verb, version, GC_AND_STATUS_SINCE);
        }
        if (!supportedVersions.contains(version)) {
            throw new CniException(
                    CniCode.INCOMPATIBLE_VERSION,
                    "incompatible CNI versions",
                    "config is %s, plugin supports %s"
                            .formatted(GoText.quote(version), GoText.quotedList(supportedVersions)));
        }
    }

    private void checkVerbAllowed(CniVerb verb, String version, String since) {
        if (!CniVersion.atLeast(version, since)) {
            throw new CniException(CniCode.INCOMPATIBLE_VERSION, "config version does not allow " + verb);
        }
        for (var supported : supportedVersions) {
            if (CniVersion.atLeast(supported, version)) {
                return;
            }
        }
        throw new CniException(CniCode.INCOMPATIBLE_VERSION, "plugin version does not allow " + verb);
    }

    private static CniCall call(CniVerb verb, Map<String, String> environment, NetworkConfig config) {
        var path = environment.getOrDefault(PATH, "");
        return new CniCall(
                verb,
                environment.getOrDefault(CONTAINER_ID, ""),
                environment.getOrDefault(NETNS, ""),
                environment.getOrDefault(IFNAME, ""),
                environment.getOrDefault(ARGS, ""),
                Arrays.asList(path.split(":", -1)),
                config,
                environment);
    }

    private static void checkNamespace(CniCall call, Namespaces namespaces) {
        var override = call.environment().getOrDefault(NETNS_OVERRIDE, "");
        if (call.netns().isEmpty() || override.equals("1") || override.equalsIgnoreCase("true")) {
            return;
        }
        switch (namespaces.relation(call.netns())) {
            case SAME ->
                throw new CniException(
                        CniCode.INVALID_NETWORK_NAMESPACE,
                        "plugin's netns and netns from CNI_NETNS should not be the same");
            case OWN_NOT_OPENED ->
                throw new CniException(CniCode.INVALID_NETWORK_NAMESPACE, "get plugin's netns failed");
            // The handler decides about a missing namespace: DEL must accept it.
            case OTHER, NOT_OPENED -> {}
        }
    }

    private Optional<CniResult> handle(CniCall call) {
        var handler = handlers.get(call.verb());
        if (handler == null) {
            return Optional.empty();
        }
        try {
            return handler.handle(call);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw internal(interrupted);
        } catch (Exception | StackOverflowError | AssertionError failure) {
            throw findTyped(failure).orElseGet(() -> internal(failure));
        }
    }

    /// The typed error in a chain of causes. It alone is reported, without the text around it.
    private static Optional<CniException> findTyped(Throwable failure) {
        var cause = failure;
        for (int depth = 0; depth < CAUSES_MAX && cause != null; depth++) {
            if (cause instanceof CniException typed) {
                return Optional.of(typed);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    private static CniException internal(Throwable failure) {
        var message = failure.getMessage();
        return new CniException(CniError.of(CniCode.INTERNAL, message == null ? failure.toString() : message), failure);
    }

    private static String versionOfErrors(NetworkConfig config) {
        try {
            var version = config.cniVersion();
            return CniVersion.KNOWN.contains(version) ? version : CniVersion.NEWEST;
        } catch (CniException _) {
            return CniVersion.NEWEST;
        }
    }
}
