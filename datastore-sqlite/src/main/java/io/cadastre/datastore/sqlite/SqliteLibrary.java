package io.cadastre.datastore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/// SQLite itself, a native library that the driver carries in its archive.
///
/// The driver unpacks it into the temporary folder for each process, and a process that is killed leaves
/// its copy there for ever. With a folder of its own it is unpacked once, and every process of this user
/// loads the same file. If that cannot be, the driver does what it always does.
public final class SqliteLibrary {

    /// The driver looks there before it unpacks anything.
    private static final String DRIVER_PROPERTY = "org.sqlite.lib.path";

    /// Guards the field below.
    private static final Object LOCK = new Object();

    private static @Nullable Path folder;

    private SqliteLibrary() {}

    /// Has the library unpacked below this folder when it is first needed. The process decides, so it is
    /// said once, before any store is opened.
    public static void keepIn(Path directory) {
        synchronized (LOCK) {
            folder = directory;
        }
    }

    /// Called before the driver is used.
    static void provide() {
        synchronized (LOCK) {
            if (folder != null && System.getProperty(DRIVER_PROPERTY) == null) {
                try {
                    System.setProperty(DRIVER_PROPERTY, unpacked(folder).toString());
                } catch (IOException _) {
                    // Then the driver unpacks it for this process alone.
                }
                folder = null;
            }
        }
    }

    /// The folder that has the library of this version of the driver.
    private static Path unpacked(Path directory) throws IOException {
        var own = Files.createDirectories(
                directory.resolve("sqlite-" + SQLiteJDBCLoader.getVersion()),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        requireOwn(own);
        var name = LibraryLoaderUtil.getNativeLibName();
        var library = own.resolve(name);
        if (!Files.exists(library)) {
            unpack(name, library);
        }
        requireOwn(library);
        return own;
    }

    /// Whole or not at all, even if other processes do the same meanwhile.
    private static void unpack(String name, Path library) throws IOException {
        var draft = Files.createTempFile(library.toAbsolutePath().getParent(), name, ".new");
        try (var packed =
                SQLiteJDBCLoader.class.getResourceAsStream(LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name)) {
            if (packed == null) {
                throw new IOException("the driver has no library for this machine");
            }
            Files.copy(packed, draft, StandardCopyOption.REPLACE_EXISTING);
            try (var written = new RandomAccessFile(draft.toFile(), "rw")) {
                written.getFD().sync();
            }
            Files.move(draft, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /// Code that others could write is not loaded.
    private static void requireOwn(Path path) throws IOException {
        var user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        var owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        var open = Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        if (!owner.equals(user)
                || Files.isSymbolicLink(path)
                || Files.getPosixFilePermissions(path).stream().anyMatch(open::contains)) {
            throw new IOException("%s can be written by others".formatted(path));
        }
    }
}
