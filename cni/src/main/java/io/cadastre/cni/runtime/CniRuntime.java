package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import io.cadastre.wire.cni.CniAttachment;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniNames;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.PluginVersions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Calls the plugins of a network, one after the other, and caches what they answered.
///
/// Every ADD, even one that failed, must be followed by a DEL some day: an ADD that fails in the middle
/// does not undo what the plugins before did.
public final class CniRuntime {

    private static final String PREVIOUS_RESULT_SINCE = "0.4.0";
    private static final String GC_AND_STATUS_SINCE = "1.1.0";

    private static final Bytes VERSION_INPUT = Bytes.ofUtf8("{\"cniVersion\":\"%s\"}".formatted(CniVersion.NEWEST));
    private static final CniError VERSION_UNKNOWN = CniError.of(CniCode.UNKNOWN, "unknown CNI_COMMAND: VERSION");
    private static final String DUMMY = "dummy";

    private final PluginPath path;
    private final PluginRunner runner;
    private final ResultCache cache;
    private final ContainerLocks turns = new ContainerLocks();

    public CniRuntime(PluginPath path, PluginRunner runner, ResultCache cache) {
        this.path = path;
        this.runner = runner;
        this.cache = cache;
    }

    /// Attaches a container. Each plugin gets the result of the one before, in the version of the network.
    ///
    /// @return the result of the last plugin, in the version in which that answered
    /// @throws CniException if a plugin fails; those after it are not called
    public CniResult add(NetworkList list, AttachmentRequest request, Deadline deadline) {
        return turns.ofContainer(request.containerId(), deadline, () -> {
            var result = addAll(list, request, deadline);
            try {
                cache.store(list, request, result);
            } catch (CniException unwritable) {
                throw unwritable.prefixed(
                        "failed to set network %s cached result: ".formatted(GoText.quote(list.name())));
            }
            return result;
        });
    }

    private CniResult addAll(NetworkList list, AttachmentRequest request, Deadline deadline) {
        Optional<CniResult> result = Optional.empty();
        for (var plugin : list.plugins()) {
            try {
                result = Optional.of(addOne(list, plugin, request, result, deadline));
            } catch (CniException failure) {
                throw failure.prefixed(failed(plugin, "add"));
            }
        }
        return result.orElseThrow(() -> new IllegalStateException("a network has at least one plugin"));
    }

    private CniResult addOne(
            NetworkList list,
            PluginEntry plugin,
            AttachmentRequest request,
            Optional<CniResult> before,
            Deadline deadline) {
        var file = path.find(plugin.type());
        CniNames.checkContainerId(request.containerId());
        CniNames.checkNetworkName(list.name());
        CniNames.checkInterfaceName(request.ifname());
        var input = input(list, plugin, request, before.map(result -> inVersionOf(list, result)));
        var printed = runner.run(file, input.encode(), variables(CniVerb.ADD, request), deadline);
        return readResult(printed, list);
    }

    /// A plugin may answer in another version, and the next one would not understand it. If the version of
    /// the network is not known, the result stays as it is.
    private static CniResult inVersionOf(NetworkList list, CniResult result) {
        return list.cniVersion().isEmpty() || CniVersion.KNOWN.contains(list.cniVersion())
                ? result.convert(list.cniVersion())
                : result;
    }

    static CniResult readResult(Bytes printed, NetworkList list) {
        return readResult(printed, list.cniVersion().isEmpty() ? CniVersion.OLDEST : list.cniVersion());
    }

    static CniResult readResult(Bytes printed, String versionIfUnsaid) {
        Members members;
        try {
            members = Members.parse(printed);
        } catch (CniException unreadable) {
            throw new CniException(CniCode.UNKNOWN, "failed to unmarshal raw result: " + unreadable.getMessage());
        }
        try {
            var said = members.text("cniVersion");
            return CniResult.read(members, said.isEmpty() ? versionIfUnsaid : said);
        } catch (CniException unreadable) {
            throw new CniException(
                    CniError.of(CniCode.UNKNOWN, unreadable.error().sentence()), unreadable);
        }
    }

    /// Checks that an attachment is as its ADD left it. Does nothing if the network does not want that.
    ///
    /// @throws CniException if a plugin finds otherwise
    public void check(NetworkList list, AttachmentRequest request, Deadline deadline) {
        if (!CniVersion.atLeast(list.cniVersion(), PREVIOUS_RESULT_SINCE)) {
            throw new CniException(
                    CniCode.UNKNOWN,
                    "configuration version %s does not support the CHECK command"
                            .formatted(GoText.quote(list.cniVersion())));
        }
        if (!list.disableCheck()) {
            turns.ofContainer(request.containerId(), deadline, () -> {
                checkAll(list, request, deadline);
                return true;
            });
        }
    }

    private void checkAll(NetworkList list, AttachmentRequest request, Deadline deadline) {
        var cached = cachedResult(list, request);
        for (var plugin : list.plugins()) {
            call(CniVerb.CHECK, plugin, request, input(list, plugin, request, cached), deadline);
        }
    }

    /// Takes an attachment back, last plugin first. It may be repeated, and need never have been made.
    ///
    /// @throws CniException if a plugin fails; those before it in the list are not called
    public void del(NetworkList list, AttachmentRequest request, Deadline deadline) {
        turns.ofContainer(request.containerId(), deadline, () -> {
            delAll(list, request, deadline);
            return true;
        });
    }

    private void delAll(NetworkList list, AttachmentRequest request, Deadline deadline) {
        var cached = CniVersion.atLeast(list.cniVersion(), PREVIOUS_RESULT_SINCE)
                ? resultOrForget(list, request)
                : Optional.<CniResult>empty();
        for (var plugin : list.plugins().reversed()) {
            try {
                call(CniVerb.DEL, plugin, request, input(list, plugin, request, cached), deadline);
            } catch (CniException failure) {
                throw failure.prefixed(failed(plugin, "delete"));
            }
        }
        cache.remove(list, request);
    }

    /// An unreadable result must not keep the attachment from being taken back.
    private Optional<CniResult> resultOrForget(NetworkList list, AttachmentRequest request) {
        try {
            return cache.findResult(list, request);
        } catch (CniException _) {
            cache.remove(list, request);
            return Optional.empty();
        }
    }

    /// Takes back every cached attachment of the network, and gives its plugins no list of what is in use.
    ///
    /// @throws CniException with all that went wrong, after everything was tried
    public void gc(NetworkList list, Deadline deadline) {
        gc(list, List.of(), plugin -> PluginInput.of(list, plugin), deadline);
    }

    /// Takes back what is cached of the network and not in use any more, and has its plugins do the same
    /// with what they keep.
    ///
    /// @throws CniException with all that went wrong, after everything was tried
    public void gc(NetworkList list, List<CniAttachment> valid, Deadline deadline) {
        gc(list, valid, plugin -> PluginInput.of(list, plugin).withValid(valid), deadline);
    }

    private void gc(
            NetworkList list, List<CniAttachment> valid, Function<PluginEntry, PluginInput> input, Deadline deadline) {
        if (list.disableGc()) {
            return;
        }
        turns.alone(deadline, () -> {
            var failures = delStale(list, valid, deadline);
            if (CniVersion.atLeast(list.cniVersion(), GC_AND_STATUS_SINCE)) {
                for (var plugin : list.plugins()) {
                    attempt(
                            failures,
                            "failed to GC plugin %s: ".formatted(plugin.type()),
                            () -> callOnNetwork(CniVerb.GC, plugin, input.apply(plugin), deadline));
                }
            }
            throwAll(failures);
        });
    }

    private List<CniException> delStale(NetworkList list, List<CniAttachment> valid, Deadline deadline) {
        var failures = new ArrayList<CniException>();
        for (var cached : attachmentsOrNone()) {
            var request = cached.request();
            var attachment = new CniAttachment(request.containerId(), request.ifname());
            if (cached.network().equals(list.name()) && !valid.contains(attachment)) {
                attempt(
                        failures,
                        "failed to delete stale attachment %s %s: ".formatted(request.containerId(), request.ifname()),
                        () -> delAll(list, request, deadline));
            }
        }
        return failures;
    }

    /// Without the cache there is nothing that could be stale.
    private List<CachedAttachment> attachmentsOrNone() {
        try {
            return cache.attachments();
        } catch (CniException _) {
            return List.of();
        }
    }

    private static void attempt(List<CniException> failures, String words, Runnable operation) {
        try {
            operation.run();
        } catch (CniException failure) {
            failures.add(failure.prefixed(words));
        }
    }

    /// One line for each, in the order in which they happened, with the code of the first.
    private static void throwAll(List<CniException> failures) {
        if (!failures.isEmpty()) {
            var lines =
                    failures.stream().map(failure -> failure.error().sentence()).collect(Collectors.joining("\n"));
            var first = failures.getFirst();
            throw new CniException(new CniError(first.error().code(), lines, ""), first);
        }
    }

    /// Asks whether the network is ready for an ADD. One that is too old to be asked is.
    ///
    /// @throws CniException in the words of the first plugin that is not
    public void status(NetworkList list, Deadline deadline) {
        if (CniVersion.atLeast(list.cniVersion(), GC_AND_STATUS_SINCE)) {
            for (var plugin : list.plugins()) {
                callOnNetwork(CniVerb.STATUS, plugin, PluginInput.of(list, plugin), deadline);
            }
        }
    }

    /// Asks a plugin which versions it supports.
    ///
    /// @throws CniException if there is none of this type, or it does not say
    public PluginVersions versions(String type, Deadline deadline) {
        var file = path.find(type);
        var variables = new TreeMap<String, String>();
        variables.put("CNI_COMMAND", CniVerb.VERSION.name());
        variables.put("CNI_CONTAINERID", "");
        variables.put("CNI_NETNS", DUMMY);
        variables.put("CNI_IFNAME", DUMMY);
        variables.put("CNI_ARGS", "");
        variables.put("CNI_PATH", DUMMY);
        try {
            return PluginVersions.parse(runner.run(file, VERSION_INPUT, variables, deadline));
        } catch (CniException failure) {
            if (isVersionUnknown(failure.error())) {
                return PluginVersions.BEFORE_VERSION;
            }
            throw failure;
        }
    }

    private static boolean isVersionUnknown(CniError error) {
        return error.msg().equals(VERSION_UNKNOWN.msg()) && error.details().isEmpty();
    }

    /// Checks that every plugin of the network is there and supports its version.
    ///
    /// @return the capabilities that any of them enables, each once
    /// @throws CniException with all that is wrong
    public List<String> validate(NetworkList list, Deadline deadline) {
        var version = list.cniVersion().isEmpty() ? CniVersion.OLDEST : list.cniVersion();
        var failures = new ArrayList<String>();
        for (var plugin : list.plugins()) {
            try {
                if (!versions(plugin.type(), deadline).supportedVersions().contains(version)) {
                    failures.add("plugin %s does not support config version %s"
                            .formatted(plugin.type(), GoText.quote(version)));
                }
            } catch (CniException failure) {
                failures.add(failure.error().sentence());
            }
        }
        if (!failures.isEmpty()) {
            throw new CniException(CniCode.UNKNOWN, GoText.list(failures));
        }
        return list.plugins().stream()
                .flatMap(plugin -> plugin.enabledCapabilities().stream())
                .distinct()
                .toList();
    }

    /// What the ADD of an attachment answered, in the version of its network.
    ///
    /// @throws CniException if that is unreadable
    public Optional<CniResult> cachedResult(NetworkList list, AttachmentRequest request) {
        try {
            return cache.findResult(list, request);
        } catch (CniException unreadable) {
            throw unreadable.prefixed("failed to get network %s cached result: ".formatted(GoText.quote(list.name())));
        }
    }

    /// The configuration with which an attachment was made, and what its plugins got.
    ///
    /// @throws CniException if that is unreadable
    public Optional<CachedAttachment> cachedConfig(String network, AttachmentRequest request) {
        return cache.findConfig(network, request);
    }

    /// All attachments that are cached.
    ///
    /// @throws CniException if the cache is unreadable
    public List<CachedAttachment> attachments() {
        return cache.attachments();
    }

    /// The attachments of one container.
    ///
    /// @throws CniException if the cache is unreadable
    public List<CachedAttachment> attachments(String containerId) {
        return cache.attachments().stream()
                .filter(cached -> cached.request().containerId().equals(containerId))
                .toList();
    }

    private static PluginInput input(
            NetworkList list, PluginEntry plugin, AttachmentRequest request, Optional<CniResult> before) {
        return PluginInput.of(list, plugin).with(before).withCapabilities(plugin, request.capabilityArgs());
    }

    private void call(
            CniVerb verb, PluginEntry plugin, AttachmentRequest request, PluginInput input, Deadline deadline) {
        runner.run(path.find(plugin.type()), input.encode(), variables(verb, request), deadline);
    }

    private void callOnNetwork(CniVerb verb, PluginEntry plugin, PluginInput input, Deadline deadline) {
        call(verb, plugin, AttachmentRequest.of("", "", ""), input, deadline);
    }

    private Map<String, String> variables(CniVerb verb, AttachmentRequest request) {
        var variables = new TreeMap<String, String>();
        variables.put("CNI_COMMAND", verb.name());
        variables.put("CNI_CONTAINERID", request.containerId());
        variables.put("CNI_NETNS", request.netns());
        variables.put("CNI_IFNAME", request.ifname());
        variables.put("CNI_ARGS", request.argsText());
        variables.put("CNI_PATH", path.text());
        return Collections.unmodifiableMap(variables);
    }

    private static String failed(PluginEntry plugin, String operation) {
        var name = plugin.name();
        return "plugin type=%s%s failed (%s): "
                .formatted(GoText.quote(plugin.type()), name.isEmpty() ? "" : " name=" + GoText.quote(name), operation);
    }
}
