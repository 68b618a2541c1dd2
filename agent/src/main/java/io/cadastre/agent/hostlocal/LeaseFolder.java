package io.cadastre.agent.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.hostlocal.FolderEntry;
import io.cadastre.engine.hostlocal.HostLocalChange;
import io.cadastre.engine.hostlocal.HostLocalView;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The folder of a network, as the reference plugin has it: a file for each reserved address, which names
/// its holder, and one for each range set, which names the address that was reserved last.
///
/// Files are written under another name first. So there is no moment at which an address is reserved
/// without a holder, and a process that is killed leaves either nothing or something that its container's
/// DEL removes. A file that is left under that other name is overwritten by the next writer. A reservation
/// is made by a link, which like `O_EXCL` fails if the name is taken. Nothing is flushed: when the machine
/// goes down, so do the containers.
final class LeaseFolder {

    private static final String LAST_RESERVED = "last_reserved_ip.";
    private static final Pattern SET = Pattern.compile("0|[1-9][0-9]{0,8}");

    /// The name of the file that is being written. No other process writes while the folder is locked.
    static final String DRAFT = ".writing";

    /// The kernel gives a process no argument and no variable as long as this, so nothing longer names a
    /// container.
    private static final int CONTENT_BYTES_MAX = 128 << 10;

    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");

    private final Path folder;

    LeaseFolder(Path folder) {
        this.folder = folder;
    }

    // ---- reading ----

    HostLocalView read() throws IOException {
        var reading = new Reading();
        Files.walkFileTree(folder, reading);
        return new HostLocalView(reading.entries, new RangeSet(reading.barred), reading.lastReserved);
    }

    private final class Reading extends SimpleFileVisitor<Path> {

        private final List<FolderEntry> entries = new ArrayList<>();
        private final List<Range> barred = new ArrayList<>();
        private final TreeMap<Integer, Address> lastReserved = new TreeMap<>();
        private final byte[] buffer = new byte[CONTENT_BYTES_MAX];

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            bar(path);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            content(path, attributes).ifPresentOrElse(content -> enter(path, content), () -> bar(path));
            return FileVisitResult.CONTINUE;
        }

        /// A file that cannot be examined only blocks its own name.
        @Override
        public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
            if (path.equals(folder)) {
                throw failure;
            }
            bar(path);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, @Nullable IOException failure) throws IOException {
            if (path.equals(folder) && failure != null) {
                throw failure;
            }
            return FileVisitResult.CONTINUE;
        }

        private void enter(Path path, String content) {
            var entry = new FolderEntry(folder.relativize(path).toString(), content);
            entries.add(entry);
            set(entry.path())
                    .ifPresent(set -> FolderEntry.addressOf(content).ifPresent(last -> lastReserved.put(set, last)));
        }

        /// Deeper down, names are not addresses: they have a slash in them.
        private void bar(Path path) {
            FolderEntry.addressOf(folder.relativize(path).toString())
                    .map(Range::of)
                    .ifPresent(barred::add);
        }

        private Optional<String> content(Path path, BasicFileAttributes attributes) {
            // Opening a pipe would block.
            boolean readable = attributes.isRegularFile() || (attributes.isSymbolicLink() && Files.isRegularFile(path));
            if (!readable) {
                return Optional.empty();
            }
            try (var in = new FileInputStream(path.toFile())) {
                int count = in.readNBytes(buffer, 0, buffer.length);
                return count == buffer.length
                        ? Optional.empty()
                        : Optional.of(new String(buffer, 0, count, StandardCharsets.UTF_8));
            } catch (IOException _) {
                return Optional.empty();
            }
        }

        private Optional<Integer> set(String name) {
            return Optional.of(name)
                    .filter(text -> text.startsWith(LAST_RESERVED))
                    .map(text -> text.substring(LAST_RESERVED.length()))
                    .filter(text -> SET.matcher(text).matches())
                    .map(Integer::valueOf);
        }
    }

    // ---- writing ----

    /// Writes the changes in their order. If one fails, what was reserved before it is given back.
    void write(List<HostLocalChange> changes) throws IOException {
        var reserved = new ArrayList<Path>();
        try {
            for (var change : changes) {
                switch (change) {
                    case HostLocalChange.Reserve(var address, var attachment) ->
                        reserved.add(reserve(address, attachment.words()));
                    case HostLocalChange.NoteLast(int set, var address) -> noteLast(set, address);
                    case HostLocalChange.Delete(var entry) -> Files.deleteIfExists(folder.resolve(entry.path()));
                }
            }
        } catch (IOException failure) {
            for (var path : reserved) {
                deleteAfter(failure, path);
            }
            deleteAfter(failure, folder.resolve(DRAFT));
            throw failure;
        }
    }

    private Path reserve(Address address, String content) throws IOException {
        var draft = draft(content);
        var file = folder.resolve(address.toString());
        Files.createLink(file, draft);
        try {
            Files.delete(draft);
        } catch (IOException failure) {
            deleteAfter(failure, file);
            throw failure;
        }
        return file;
    }

    private void noteLast(int set, Address address) throws IOException {
        Files.move(draft(address.toString()), folder.resolve(LAST_RESERVED + set), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path draft(String content) throws IOException {
        var draft = folder.resolve(DRAFT);
        // It may be a second name of a reservation, so it must not be written over.
        Files.deleteIfExists(draft);
        try (var channel = Files.newByteChannel(
                draft,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(MODE))) {
            var bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        return draft;
    }

    private static void deleteAfter(IOException failure, Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException another) {
            failure.addSuppressed(another);
        }
    }
}
