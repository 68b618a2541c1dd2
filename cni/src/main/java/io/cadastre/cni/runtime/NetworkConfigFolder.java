package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniNames;
import io.cadastre.wire.cni.GoText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/// The folder in which networks are configured, `/etc/cni/net.d` as a rule.
public record NetworkConfigFolder(Path folder) {

    private static final String LIST = ".conflist";
    private static final List<String> SINGLE = List.of(".conf", ".json");
    private static final List<String> ALL = List.of(LIST, ".conf", ".json");

    /// The network of this name: the first list in alphabetical order of the files, or else the first
    /// plugin that is configured alone.
    ///
    /// Files are read one by one. One that is unreadable ends the search, but only if it comes before
    /// the network that is looked for.
    ///
    /// @throws CniException if there is none, or a file is unreadable
    public NetworkList load(String name) {
        var lists = files(List.of(LIST));
        for (var file : lists) {
            var list = loadList(file);
            if (list.name().equals(name)) {
                return list;
            }
        }
        var singles = files(SINGLE);
        if (lists.isEmpty() && singles.isEmpty()) {
            throw nothingFound();
        }
        for (var file : singles) {
            var document = read(file);
            if (PluginEntry.parse(document).name().equals(name)) {
                return NetworkList.ofSingle(document);
            }
        }
        throw new CniException(
                CniCode.UNKNOWN, "no net configuration with name %s in %s".formatted(GoText.quote(name), folder));
    }

    /// The networks that a runtime takes by its rule, in alphabetical order of the files, whatever their
    /// endings.
    ///
    /// @param check throws a [CniException] for a network whose plugins are missing or do not support it,
    ///     as [CniRuntime#validate(NetworkList, Deadline)] does
    /// @param passedOver takes a sentence for each file that was of no use
    /// @throws CniException if there is none, or a file is unreadable and the rule does not forgive it
    public List<NetworkList> pick(PickRule rule, Consumer<NetworkList> check, Consumer<String> passedOver) {
        var files = files(ALL);
        if (files.isEmpty()) {
            throw nothingFound();
        }
        return switch (rule) {
            case PickRule.Kubelet _ ->
                List.of(sound(files, check, passedOver).stream().findFirst().orElseThrow(this::nothingFound));
            case PickRule.Containerd(int networksMax) ->
                files.stream()
                        .limit(networksMax)
                        .map(NetworkConfigFolder::loadAny)
                        .toList();
            case PickRule.CriO(var defaultNetwork) ->
                List.of(sound(files, check, passedOver).stream()
                        .filter(list -> defaultNetwork.isEmpty() || list.name().equals(defaultNetwork))
                        .findFirst()
                        .orElseThrow(() -> notFound(defaultNetwork)));
        };
    }

    /// Each name once.
    private static List<NetworkList> sound(List<Path> files, Consumer<NetworkList> check, Consumer<String> passedOver) {
        var sound = new LinkedHashMap<String, NetworkList>();
        for (var file : files) {
            try {
                var list = loadAny(file);
                check.accept(list);
                if (sound.putIfAbsent(list.name(), list) != null) {
                    passedOver.accept("%s: there is a network %s already".formatted(file, GoText.quote(list.name())));
                }
            } catch (CniException useless) {
                passedOver.accept("%s: %s".formatted(file, useless.error().sentence()));
            }
        }
        return List.copyOf(sound.values());
    }

    private static NetworkList loadAny(Path file) {
        return ending(file).equals(LIST) ? loadList(file) : NetworkList.ofSingle(read(file));
    }

    private CniException nothingFound() {
        return new CniException(CniCode.UNKNOWN, "no net configurations found in " + folder);
    }

    private CniException notFound(String name) {
        return name.isEmpty()
                ? nothingFound()
                : new CniException(
                        CniCode.UNKNOWN,
                        "no net configuration with name %s in %s".formatted(GoText.quote(name), folder));
    }

    /// The list in this file, with the plugins that have files of their own in the folder of its name.
    ///
    /// @throws CniException if it is unreadable, or has no plugins at all
    public static NetworkList loadList(Path file) {
        var list = ListReader.read(read(file));
        if (list.onlyInlined() || !isName(list.name())) {
            return list.complete();
        }
        var beside = file.resolveSibling(list.name());
        return list.withMore(new NetworkConfigFolder(beside)
                        .files(List.of(".conf")).stream()
                                .map(other -> PluginEntry.parse(read(other)))
                                .toList())
                .complete();
    }

    /// A name that is not valid could lead out of the folder.
    private static boolean isName(String name) {
        try {
            CniNames.checkNetworkName(name);
            return true;
        } catch (CniException _) {
            return false;
        }
    }

    /// The files with one of these endings, sorted. A folder that does not exist has none.
    private List<Path> files(List<String> endings) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            var files = new ArrayList<Path>();
            for (var child : children) {
                if (endings.contains(ending(child)) && !Files.isDirectory(child)) {
                    files.add(child);
                }
            }
            files.sort(Comparator.comparing(Path::toString));
            return files;
        } catch (IOException unreadable) {
            throw unreadable(folder, unreadable);
        }
    }

    private static String ending(Path file) {
        var name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot);
    }

    private static Bytes read(Path file) {
        try (var stream = Files.newInputStream(file)) {
            // One more than can be parsed, so that what is cut off is not taken for a whole.
            return Bytes.of(stream.readNBytes(CniJson.BYTES_MAX + 1));
        } catch (IOException unreadable) {
            throw unreadable(file, unreadable);
        }
    }

    private static CniException unreadable(Path file, IOException cause) {
        return new CniException(CniError.of(CniCode.UNKNOWN, "error reading %s: %s".formatted(file, cause)), cause);
    }
}
