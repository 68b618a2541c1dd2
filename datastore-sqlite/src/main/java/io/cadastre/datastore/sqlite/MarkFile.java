package io.cadastre.datastore.sqlite;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The small file beside a database that records how far it had come: the greatest [HighWaterMark] in
/// it. A database that has less is not the one of which that was promised.
///
/// Every process that commits appends a mark after the commit and before a caller is answered, without
/// a sync: after a power failure the file may record too little, and it never records what was not
/// committed. Several processes append, each in one write, so that none takes another's mark away. The
/// file is begun anew when it is long, and only by a process that holds the database's write lock: no
/// commit is under way then, so the mark it begins with is not behind any that it drops.
///
/// Streams are used instead of a channel, which an interrupt of the caller would close.
final class MarkFile implements AutoCloseable {

    /// The file is begun anew when it has this many marks, so that it fits into one page of memory.
    private static final int MARKS_MAX = 32;

    private final Path file;

    /// Guards the fields below.
    private final Object lock = new Object();

    private @Nullable RandomAccessFile content;
    private @Nullable FileOutputStream end;

    /// Which file is open.
    private @Nullable Object key;

    /// Whether a mark could not be written.
    private boolean behind;

    MarkFile(Path database) {
        this.file = database.resolveSibling(database.getFileName() + ".mark");
    }

    Path path() {
        return file;
    }

    /// What was promised, if anything was. Ask before looking into the database, which may move on in
    /// between.
    Optional<HighWaterMark> read() throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        return greatest(bytes, bytes.length);
    }

    /// What was promised, as read by the holder of the write lock. If the file is absent, long or does
    /// not contain what could not be written, it is begun anew.
    ///
    /// @param present how far the database has come
    HighWaterMark readLocked(HighWaterMark present) throws IOException {
        synchronized (lock) {
            var open = opened();
            if (open == null) {
                make(present);
                return present;
            }
            var bytes = new byte[2 * MARKS_MAX * HighWaterMark.ENCODED_BYTES];
            open.seek(0);
            int size = Math.max(0, open.read(bytes));
            var marked = greatest(bytes, size).orElse(present);
            boolean worn = size == 0
                    || size >= MARKS_MAX * HighWaterMark.ENCODED_BYTES
                    || size % HighWaterMark.ENCODED_BYTES != 0
                    || behind;
            if (worn && marked.compareTo(present) <= 0) {
                beginAnew(open, present);
                behind = false;
            }
            return marked;
        }
    }

    /// Promises what was committed.
    void append(HighWaterMark committed) {
        synchronized (lock) {
            try {
                if (end == null) {
                    behind = true;
                } else {
                    end.write(committed.encode());
                }
            } catch (IOException _) {
                // The commit is durable all the same. The next one has to write the mark first.
                behind = true;
            }
        }
    }

    /// Forgets what was promised and promises what is there.
    void accept(HighWaterMark present) throws IOException {
        synchronized (lock) {
            var open = opened();
            if (open == null) {
                make(present);
            } else {
                beginAnew(open, present);
                open.getFD().sync();
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (lock) {
            try (var _ = content;
                    var _ = end) {
                content = null;
                end = null;
                key = null;
            }
        }
    }

    /// The file that has the name now, or null if there is none.
    private @Nullable RandomAccessFile opened() throws IOException {
        Object found;
        try {
            found = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException _) {
            return null;
        }
        if (content == null || !found.equals(key)) {
            close();
            content = new RandomAccessFile(file.toFile(), "rw");
            end = new FileOutputStream(file.toFile(), true);
            key = found;
        }
        return content;
    }

    /// In this order, so that the file always has the greatest mark.
    private static void beginAnew(RandomAccessFile open, HighWaterMark first) throws IOException {
        open.seek(0);
        open.write(first.encode());
        open.setLength(HighWaterMark.ENCODED_BYTES);
    }

    /// No other process makes it, since the database is locked. A process that is killed here leaves an
    /// empty file, which is as good as none.
    private void make(HighWaterMark first) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        var made = opened();
        if (made == null) {
            throw new NoSuchFileException(file.toString());
        }
        beginAnew(made, first);
        made.getFD().sync();
    }

    /// Of two that are alike the one that promises less counts: a process that cuts records off writes
    /// it before, and a late mark of another process comes after it.
    private static boolean counts(HighWaterMark mark, HighWaterMark greatest) {
        int order = mark.compareTo(greatest);
        return order > 0 || (order == 0 && greatest.tellsLastRecord());
    }

    private static Optional<HighWaterMark> greatest(byte[] bytes, int size) {
        Optional<HighWaterMark> greatest = Optional.empty();
        for (int at = 0; at + HighWaterMark.ENCODED_BYTES <= size; at += HighWaterMark.ENCODED_BYTES) {
            var mark = HighWaterMark.decode(bytes, at);
            if (greatest.isEmpty() || (mark.isPresent() && counts(mark.get(), greatest.get()))) {
                greatest = mark;
            }
        }
        return greatest;
    }
}
