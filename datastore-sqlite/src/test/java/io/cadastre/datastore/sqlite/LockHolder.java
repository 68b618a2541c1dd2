package io.cadastre.datastore.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A process that takes all locks of a database in WAL mode, as a process that hangs would hold them,
/// until its input ends.
final class LockHolder {

    /// Where the locks lie in the shared-memory file: <https://www.sqlite.org/walformat.html>, 2.3.
    private static final int LOCKS_AT = 120;

    private static final int LOCKS = 8;

    private LockHolder() {}

    /// Takes the path of the database.
    public static void main(String[] arguments) throws IOException {
        try (var file = FileChannel.open(
                        Path.of(arguments[0] + "-shm"), StandardOpenOption.READ, StandardOpenOption.WRITE);
                var _ = file.lock(LOCKS_AT, LOCKS, false)) {
            System.out.println("held");
            while (System.in.read() != -1) {
                // The end of the input says that this process may end.
            }
        }
    }
}
