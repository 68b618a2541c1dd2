package io.cadastre.cni.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.cadastre.cni.runtime.AttachmentRequest.Argument;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the plugins of each attachment answered, on disk, in the files of `libcni`: it reads ours, and
/// we read its.
///
/// A file is written beside its folder and then renamed into it, so that no reader ever sees a part of it.
public final class ResultCache {

    private static final String KIND = "cniCacheV1";
    private static final int FILE_BYTES_MAX = CniJson.BYTES_MAX;

    private final Path folder;

    /// A cache in this folder, `/var/lib/cni` as a rule. It is made when it is first written to.
    public ResultCache(Path folder) {
        this.folder = folder;
    }

    private Path results() {
        return folder.resolve("results");
    }

    /// The file of an attachment.
    ///
    /// @throws CniException if one of its three names is empty, or could lead out of the folder
    private Path file(String network, AttachmentRequest request) {
        var names = List.of(network, request.containerId(), request.ifname());
        if (names.stream().anyMatch(name -> name.isEmpty() || name.contains("/"))) {
            throw new CniException(
                    CniCode.UNKNOWN,
                    "cache file path requires network name (%s), container ID (%s), and interface name (%s)"
                            .formatted(
                                    GoText.quote(network),
                                    GoText.quote(request.containerId()),
                                    GoText.quote(request.ifname())));
        }
        try {
            return results().resolve(String.join("-", names));
        } catch (InvalidPathException unusable) {
            throw failure(unusable);
        }
    }

    private static CniException failure(Exception cause) {
        return new CniException(CniError.of(CniCode.UNKNOWN, cause.toString()), cause);
    }

    void store(NetworkList list, AttachmentRequest request, CniResult result) {
        var file = file(list.name(), request);
        var bytes = encode(list, request, result).toByteArray();
        try {
            Files.createDirectories(
                    results(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            // Made readable to its owner only.
            var temporary = Files.createTempFile(folder, ".result-", ".tmp");
            try {
                write(temporary, bytes);
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException unwritable) {
            throw failure(unwritable);
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var rest = ByteBuffer.wrap(bytes);
            // Ends: every write takes some, or throws.
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    static Bytes encode(NetworkList list, AttachmentRequest request, CniResult result) {
        var tree = Json.emptyObject();
        tree.put("kind", KIND);
        tree.put("containerId", request.containerId());
        tree.put("config", Base64.getEncoder().encodeToString(list.raw().toByteArray()));
        tree.put("ifName", request.ifname());
        tree.put("networkName", list.name());
        if (!request.netns().isEmpty()) {
            tree.put("netns", request.netns());
        }
        if (!request.args().isEmpty()) {
            var pairs = tree.putArray("cniArgs");
            request.args().forEach(pair -> pairs.addArray().add(pair.key()).add(pair.value()));
        }
        var capabilityArgs = request.capabilityArgs().tree();
        if (!capabilityArgs.isEmpty()) {
            tree.set("capabilityArgs", CniJson.sorted(capabilityArgs));
        }
        tree.set("result", CniJson.sorted(result.tree()));
        return Bytes.ofUtf8(CniJson.compact(tree));
    }

    /// The result of an attachment in the version of its network, if there is one.
    ///
    /// What is not in the form of these files is taken for a plain result, as old releases wrote it.
    ///
    /// @throws CniException if it is not that either
    Optional<CniResult> findResult(NetworkList list, AttachmentRequest request) {
        var document = find(file(list.name(), request));
        if (document.isEmpty()) {
            return Optional.empty();
        }
        var result = CniResult.parse(resultOf(document.get()).orElse(document.get()));
        try {
            return Optional.of(result.convert(list.cniVersion()));
        } catch (CniException impossible) {
            throw impossible.prefixed("failed to convert cached result to config version %s: "
                    .formatted(GoText.quote(list.cniVersion())));
        }
    }

    private static Optional<Bytes> resultOf(Bytes document) {
        try {
            var members = Members.parse(document);
            return members.text("kind").equals(KIND) ? members.object("result").map(Members::encode) : Optional.empty();
        } catch (CniException _) {
            return Optional.empty();
        }
    }

    /// The attachment with the configuration that made it, if there is one. Its arguments are those of
    /// the file if it has any, and those of the request if not; what is known about capabilities is
    /// always that of the file.
    ///
    /// @throws CniException if the file is not in the form of these files
    Optional<CachedAttachment> findConfig(String network, AttachmentRequest request) {
        var document = find(file(network, request));
        if (document.isEmpty()) {
            return Optional.empty();
        }
        Members members;
        String kind;
        CachedAttachment cached;
        try {
            members = Members.parse(document.get());
            kind = members.text("kind");
            cached = decode(members);
        } catch (CniException unreadable) {
            throw new CniException(
                    CniCode.UNKNOWN,
                    "failed to unmarshal cached network %s config: %s"
                            .formatted(GoText.quote(network), unreadable.getMessage()));
        }
        if (!kind.equals(KIND)) {
            throw new CniException(
                    CniCode.UNKNOWN,
                    "read cached network %s config has wrong kind: %s".formatted(GoText.quote(network), kind));
        }
        var told = cached.request();
        return Optional.of(new CachedAttachment(
                network,
                cached.config(),
                request.withArgs(told.args().isEmpty() ? request.args() : told.args())
                        .withCapabilityArgs(told.capabilityArgs())));
    }

    private static CachedAttachment decode(Members members) {
        var args = new ArrayList<Argument>();
        for (var pair :
                members.find("cniArgs").orElseGet(() -> Json.emptyObject().arrayNode())) {
            args.add(argument(pair));
        }
        return new CachedAttachment(
                members.text("networkName"),
                base64(members.text("config")),
                new AttachmentRequest(
                        members.text("containerId"),
                        members.text("netns"),
                        members.text("ifName"),
                        args,
                        members.object("capabilityArgs").orElseGet(() -> Members.of(Json.emptyObject()))));
    }

    private static Argument argument(JsonNode pair) {
        if (pair instanceof ArrayNode both
                && both.size() == 2
                && both.get(0).isTextual()
                && both.get(1).isTextual()) {
            return new Argument(both.get(0).textValue(), both.get(1).textValue());
        }
        throw new CniException(CniCode.UNKNOWN, "no pair of texts: " + CniJson.compact(pair));
    }

    private static Bytes base64(String text) {
        try {
            return Bytes.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException broken) {
            throw new CniException(CniError.of(CniCode.UNKNOWN, String.valueOf(broken.getMessage())), broken);
        }
    }

    /// Every attachment, sorted by the name of its file. Files that are unreadable, foreign or
    /// incomplete are passed over.
    ///
    /// @throws CniException if the folder is unreadable
    public List<CachedAttachment> attachments() {
        if (!Files.isDirectory(results())) {
            return List.of();
        }
        var files = new ArrayList<Path>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(results())) {
            children.forEach(files::add);
        } catch (IOException unreadable) {
            throw failure(unreadable);
        }
        files.sort(Comparator.comparing(Path::toString));
        return files.stream().flatMap(file -> findAttachment(file).stream()).toList();
    }

    private static Optional<CachedAttachment> findAttachment(Path file) {
        try {
            return find(file)
                    .map(Members::parse)
                    .filter(members -> members.text("kind").equals(KIND))
                    .map(ResultCache::decode)
                    .filter(ResultCache::isComplete);
        } catch (CniException _) {
            return Optional.empty();
        }
    }

    private static boolean isComplete(CachedAttachment attachment) {
        return !attachment.network().isEmpty()
                && !attachment.request().containerId().isEmpty()
                && !attachment.request().ifname().isEmpty();
    }

    private static Optional<Bytes> find(Path file) {
        try (var stream = Files.newInputStream(file)) {
            // One more than can be parsed, so that what is cut off is not taken for a whole.
            return Optional.of(Bytes.of(stream.readNBytes(FILE_BYTES_MAX + 1)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw failure(unreadable);
        }
    }

    /// Forgets an attachment. If that fails, the next DEL tries again, and a stale file does no harm.
    void remove(NetworkList list, AttachmentRequest request) {
        try {
            Files.deleteIfExists(file(list.name(), request));
        } catch (IOException | CniException _) {
            // See above.
        }
    }
}
